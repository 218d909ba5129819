import { type Dirent, existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../core/app-error.ts";
import { onceATickEach } from "../../core/clock.ts";
import { listExactSync } from "../../system/open-exact.ts";
import { layShipped, rootOfShipped } from "../../system/own/files.ts";
import { entryState, NOTHING } from "../../system/remember-file.ts";
import { STATE_DIR, type Workspace } from "../workspace.ts";
import { readSkill, type Skill } from "./read-skill.ts";
import { readSmallText } from "./read-small-text.ts";

export type { Skill } from "./read-skill.ts";
export { readSmallText } from "./read-small-text.ts";

/**
 * Where skills may be: below `base`, which may be reached through links, in `folder`, which may
 * not.
 */
export interface SkillPlace {
  readonly origin: Skill["origin"];
  readonly base: string;
  readonly folder: string;
  /** Makes sure that it is there. */
  readonly prepare?: () => void;
}

/** Skills by name, and what keeps others from being used. */
export interface FoundSkills {
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

/** What is wrong with a file or folder. */
export interface SkillProblem {
  readonly path: string;
  readonly reason: string;
}

/**
 * Where skills are for a workspace, the strongest first. A workspace's own are in its state folder,
 * among what no change set may write: a plan must not leave instructions for later.
 */
export function skillPlaces(home: string, workspace?: Workspace): readonly SkillPlace[] {
  const folder = "skills";
  const user: SkillPlace = { origin: "user", base: home, folder };
  const builtIn: SkillPlace = {
    origin: "builtin",
    base: rootOfShipped(folder, home),
    folder,
    prepare: () => layShipped(folder, home),
  };
  if (!workspace) return [user, builtIn];
  const own = `${STATE_DIR}/skills`;
  return [{ origin: "workspace", base: workspace.root, folder: own }, user, builtIn];
}

const FILE = "SKILL.md";
const MOST_SKILLS = 100;

/**
 * Reads the skills of all places; of one name the first place's holds. Folders and files may
 * have come with somebody's repository: links are not followed, nothing large is read, and what
 * is wrong is a problem to be shown, never an error.
 */
export function findSkills(places: readonly SkillPlace[]): FoundSkills {
  const skills = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  for (const place of places) {
    const path = join(place.base, place.folder);
    const found = attempt(path, problems, () => {
      place.prepare?.();
      return listFolder(place, path);
    });
    for (const entry of found?.entries ?? []) {
      const file = join(path, entry.name, FILE);
      const skill = attempt(file, problems, () => {
        if (!entry.isDirectory()) throw new Error(LINKED);
        const folder = join(found?.realPath ?? path, entry.name);
        const text = readSmallText(join(folder, FILE));
        return { ...readSkill(text, entry.name, place.origin), folder };
      });
      if (skill?.ok) skills.getOrInsert(entry.name, { ...skill.skill, folder: skill.folder });
      else if (skill) problems.push({ path: file, reason: skill.reason });
    }
  }
  return { skills: [...skills.values()], problems };
}

/**
 * The skills for a workspace as `findSkills` reads them, for who asks at every message: they are read
 * again where a folder or a file of them is another than it was, looked at once a tick.
 */
export function rememberSkills(home: string): (workspace: Workspace) => readonly Skill[] {
  const known = new Map<string, { readonly state: string; readonly skills: readonly Skill[] }>();
  return onceATickEach((workspace: Workspace) => {
    const places = skillPlaces(home, workspace);
    // Looked at before they are read: what changes in between is seen the next time.
    const state = places.map(stateOf).join("\n");
    const before = known.get(workspace.root);
    if (before?.state === state) return before.skills;
    const { skills } = findSkills(places);
    known.set(workspace.root, { state, skills });
    return skills;
  });
}

function stateOf({ base, folder }: SkillPlace): string {
  const path = join(base, folder);
  const state = entryState(path);
  if (state === NOTHING) return state;
  const states = listNames(path).map((name) => {
    const skill = join(path, name);
    return `${name} ${entryState(skill)} ${entryState(join(skill, FILE))}`;
  });
  return [state, ...states].join("\n");
}

/** As many as {@link findSkills} reads, and one more. */
function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path).slice(0, MOST_SKILLS + 1);
  } catch {
    return [];
  }
}

const LINKED = "it is reached by a symbolic link; put the folder itself there";

/** What `read` gives, or undefined and a problem. */
function attempt<T>(path: string, problems: SkillProblem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    problems.push({ path, reason: errorMessage(error) });
    return undefined;
  }
}

interface SkillFolder {
  readonly realPath: string;
  readonly entries: readonly Dirent[];
}

/** What may be skills; undefined when the folder is not there. */
function listFolder({ base, folder }: SkillPlace, path: string): SkillFolder | undefined {
  if (!existsSync(path)) return undefined;
  const realPath = join(realpathSync(base), folder);
  if (realpathSync(path) !== realPath) throw new Error(LINKED);
  const entries = listExactSync(realPath)
    .filter((entry) => !entry.isFile() && !entry.name.startsWith("."))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.length <= MOST_SKILLS) return { realPath, entries };
  throw new Error(`it has ${entries.length} skills; at most ${MOST_SKILLS} are read, remove some`);
}
