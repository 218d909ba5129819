import { Type } from "typebox";
import { HOST_RULE } from "../../workspace/workspace.ts";
import {
  asProgram,
  BY_PERSON,
  documented,
  FEWER,
  key,
  listed,
  NOT_TAKEN,
  OFF,
  SMALLER,
  SMALLER_OR_0,
} from "./schema-facts.ts";
import { choice, entry, flag, integer, NAME_RULE } from "./schema-parts.ts";

const Command = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  minItems: 1,
  maxItems: 100,
});

const Glob = Type.String({ minLength: 1, maxLength: 4096 });

const Host = Type.String({ ...HOST_RULE, examples: ["packages.example.com"] });

/** A folder. */
export const WorkspaceEntry = entry("A folder that papa-yu may work in", {
  name: key(
    documented(Type.String(NAME_RULE), {
      description: "Name to call it by; unique",
      examples: ["site"],
    }),
    NOT_TAKEN,
    BY_PERSON,
  ),
  path: key(
    documented(Type.String({ minLength: 1, maxLength: 4096 }), {
      description: "The folder: absolute, from ~/, or relative to this file",
      examples: ["~/projects/site"],
    }),
    NOT_TAKEN,
    BY_PERSON,
  ),
  check: key(
    documented(
      Type.Unsafe<string[][] | false>({
        anyOf: [Type.Array(Command, { maxItems: 20 }), { type: "boolean", const: false }],
      }),
      {
        description:
          'Commands that must pass after an apply, as [["bun", "test"]]; []: detected; false: none',
        default: [],
      },
    ),
    NOT_TAKEN,
    asProgram(BY_PERSON, ["name", "path"]),
  ),
  check_timeout_s: key(integer("Seconds for each check", 120, 1, 3600), SMALLER, BY_PERSON),
  check_network: key(
    flag("Let checks reach the network from their sandbox", false),
    OFF,
    BY_PERSON,
  ),
  max_actions: key(
    integer("Most actions in one transaction; 0: by kind of project", 0, 0, 200),
    SMALLER_OR_0,
    BY_PERSON,
  ),
  // Neither is stricter: one runs the folder's commands unasked, the other in the folder itself.
  check_when: key(
    choice(
      "When checks run: in a view of the folder before you are asked, or in the folder after its files were changed",
      ["before", "after"],
      "before",
    ),
    NOT_TAKEN,
    BY_PERSON,
  ),
  // An entry more is a file more that is written.
  keep: key(
    documented(Type.Array(Glob, { maxItems: 100 }), {
      description:
        "Files that checks change in the view and that become part of the change set, as globs from the workspace's root",
      default: [],
      examples: [["package-lock.json", "**/__snapshots__/**"]],
    }),
    FEWER,
    BY_PERSON,
  ),
  // It names what runs, and with generate_hosts what that reaches.
  generate: key(
    documented(
      Type.Unsafe<string[][] | false>({
        anyOf: [Type.Array(Command, { maxItems: 20 }), { type: "boolean", const: false }],
      }),
      {
        description:
          'Commands that make lock files when a manifest changes, as [["npm", "install", "--package-lock-only", "--ignore-scripts"]]; []: detected; false: none',
        default: [],
      },
    ),
    NOT_TAKEN,
    asProgram(BY_PERSON, ["name", "path"]),
  ),
  generate_hosts: key(
    documented(Type.Array(Host, { maxItems: 50 }), {
      description:
        "What these commands may reach, on ports 80 and 443: names of hosts, or .suffix for all names below one",
      default: [],
      examples: [["packages.example.com", ".example.org"]],
    }),
    FEWER,
    BY_PERSON,
  ),
  on_failing_baseline: key(
    choice(
      "What a routine under full autonomy does when a check fails without its change as well",
      ["ask", "apply", "refuse"],
      "ask",
    ),
    listed("refuse", "ask", "apply"),
    BY_PERSON,
  ),
});
