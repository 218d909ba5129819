import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ApplyContext, evaluateActions } from "../../src/planner/evaluate/evaluate.ts";
import type { Action } from "../../src/protocol/response.ts";
import { schemaHash } from "../../src/protocol/schemas.ts";
import { validateResponse } from "../../src/protocol/validate-response.ts";
import { type ProtocolVersion, versionName } from "../../src/protocol/version.ts";
import { parseGolden } from "../../src/trace/golden.ts";
import type { Golden } from "../../src/trace/golden-schema.ts";
import { createScene, never, toWorkspace } from "../planner/planner-scene.ts";
import { tempDir } from "../support/temp.ts";

const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];

/** Every golden below a folder with what is wrong with it; a version without any is wrong too. */
export async function checkGoldens(
  dir: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const version of VERSIONS) {
    const name = versionName(version);
    const folder = join(dir, name);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const goldens = files.filter((file) => file.endsWith(".json")).toSorted();
    if (goldens.length === 0) found[name] = [`no golden in "${folder}"; run ${UPDATE}`];
    for (const file of goldens) {
      found[`${name}/${file}`] = await checkGolden(join(folder, file), version);
    }
  }
  return found;
}

const UPDATE = "UPDATE_GOLDEN=1 bun test tests/trace/golden.test.ts";

/** What is wrong with one golden: its form, its schema's version, its answer, how that is evaluated. */
async function checkGolden(file: string, version: ProtocolVersion): Promise<readonly string[]> {
  const read = readGolden(file);
  if (!read.ok) return read.problems;
  const { protocol, request, result } = read.golden;
  if (protocol.schema_version !== version) {
    return [`it is of ${versionName(protocol.schema_version)}; move it there`];
  }
  const hash = schemaHash(version);
  if (protocol.schema_hash !== hash) {
    return [
      `the schema of ${versionName(version)} changed since; for what this repository makes run ${UPDATE}; in other goldens, once their answers are right under the new schema, set protocol.schema_hash to ${hash}`,
    ];
  }
  const valid = validateResponse(result.validated_json, { version, mode: request.mode });
  if (!valid.ok) return valid.errors.map((error) => `its answer is not valid: ${error}`);
  return request.mode === "plan"
    ? checkPlan(read.golden)
    : checkApply(read.golden, valid.response.actions, file.replace(/\.json$/u, ""));
}

function readGolden(file: string): ReturnType<typeof parseGolden> {
  try {
    return parseGolden(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    return { ok: false, problems: [`it is no JSON: ${String(error)}`] };
  }
}

/** The whole planner, whose author always gives this answer. */
async function checkPlan({ protocol, result }: Golden): Promise<readonly string[]> {
  const answers = Array.from({ length: MOST_ANSWERS }, () => result.validated_json);
  using scene = createScene({}, answers, { version: protocol.schema_version });
  const plan = await scene.operations.plan(scene.workspace, "g", { signal: never });
  return compare(result, plan.ok ? null : plan.code);
}

/** The answer, two rounds of context, a repair. */
const MOST_ANSWERS = 4;

/** All gates, on the tree that was kept. */
function checkApply(golden: Golden, actions: readonly Action[], tree: string): readonly string[] {
  if (golden.tree !== "kept") {
    // What went well is at least valid still; a fault without its files would check nothing.
    const isBlind = golden.result.validation_outcome === "error";
    return isBlind ? [`nothing of it can be checked: its tree is ${golden.tree}`] : [];
  }
  using empty = tempDir();
  const evaluated = evaluateActions(
    actions,
    toApplyContext(golden, existsSync(tree) ? tree : empty.path),
  );
  return compare(golden.result, evaluated.ok ? null : evaluated.code);
}

function toApplyContext({ protocol, rules, context }: Golden, root: string): ApplyContext {
  // A lower version is shown the files in question whole.
  const { protocol_fallback_attempted: isWhole } = protocol;
  const whole = context.files.filter((file) => file.whole || isWhole);
  return {
    workspace: toWorkspace(root, { protectedPaths: rules.protected_paths }),
    version: protocol.schema_version,
    normalizeEol: rules.normalize_eol,
    maxActions: rules.max_actions,
    seen: Object.fromEntries(context.files.map(({ path, sha256 }) => [path, sha256])),
    whole: whole.map(({ path }) => path),
  };
}

function compare(
  { validation_outcome: outcome, error_code: code }: Golden["result"],
  found: string | null,
): readonly string[] {
  const isSame = code === found && outcome === (found === null ? "ok" : "error");
  return isSame
    ? []
    : [`it was evaluated as ${outcome} (${code}), and is now evaluated as ${found ?? "ok"}`];
}
