/** One line for `scripts/test-long.ts`, which sets the variable and shows these lines alone. */
export function tellFigures(name: string, figures: Readonly<Record<string, unknown>>): void {
  if (process.env["LONG_FIGURES"]) console.log(`figures ${name} ${JSON.stringify(figures)}`);
}
