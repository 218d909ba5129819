/** The title of the window: how much waits comes first, whatever place is shown. */
export function renderTitle(place: string, waiting: number): string {
  const name = place === "" ? "papa-yu" : `${place} · papa-yu`;
  return waiting === 0 ? name : `(${waiting}) ${name}`;
}
