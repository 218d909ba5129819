import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { PAGE_KINDS } from "../tests/http/page-kinds.ts";
import { loadPages } from "./html-pages.ts";

/** A page of some kind. */
export interface KindPage {
  readonly html: string;
  /** Of its article, where somebody wrote down what that is. */
  readonly words?: readonly string[];
}

/** Pages of one kind. */
export interface PageKind {
  readonly name: string;
  readonly pages: readonly KindPage[];
}

const MADE = 20;
/** Evenly out of a folder: manuals have thousands of pages. */
const MOST = 40;
const MAX_PAGE_LENGTH = 500_000;

/**
 * Made pages of each kind, and those of a folder: with an `index.jsonl` articles, else HTML files, a
 * kind for each folder in it, or one for all.
 */
export async function loadKinds(folder: string | undefined): Promise<readonly PageKind[]> {
  const made = Object.entries(PAGE_KINDS).map(([name, make]) => {
    return { name, pages: Array.from({ length: MADE }, (_, n) => make(1000 + n)) };
  });
  const articles = { name: "made articles", pages: await loadPages(undefined) };
  if (folder === undefined) return [...made, articles];
  const folders = isKind(folder) ? [folder] : foldersIn(folder);
  return [...made, ...(await Promise.all(folders.map(loadKind)))];
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isFile()).map(({ name }) => join(folder, name));
}

function isKind(folder: string): boolean {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.some((entry) => entry.isFile());
}

async function loadKind(folder: string): Promise<PageKind> {
  const name = basename(folder);
  if (existsSync(join(folder, "index.jsonl"))) return { name, pages: await loadPages(folder) };
  const files = [...new Bun.Glob("**/*.{html,htm}").scanSync(folder)].toSorted();
  const step = Math.max(1, files.length / MOST);
  const chosen = files.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  const pages = await Promise.all(
    chosen.map(async (file) => ({ html: await Bun.file(join(folder, file)).text() })),
  );
  return { name, pages: pages.filter(({ html }) => html.length <= MAX_PAGE_LENGTH) };
}
