import packageJson from "../../../package.json" with { type: "json" };
import type { Press, Speaker } from "../../channels/channel.ts";
import type {
  Answering,
  ConsoleFacts,
  ConsoleParts,
  PersonFacts,
} from "../../channels/http/http-channel.ts";
import type { Config } from "../../config/schema/schema.ts";
import { toLocalTime } from "../../core/clock.ts";
import type { Approval } from "../../store/approvals.ts";
import { openConsoleFiles } from "../../system/own/console-files.ts";
import type { RoutineService } from "../../tools/routine-service.ts";
import type { App } from "../app/app.ts";
import type { People } from "../people.ts";
import { createDoctor, createLogFacts, createPeople, readSpending } from "./care/care.ts";
import { createChats, GATES, type Talk } from "./chats.ts";
import { createInbox, type Inbox } from "./inbox/inbox.ts";
import { createReviews, type Reviews } from "./review.ts";
import { createRoutineFacts } from "./routines.ts";
import type { WorkObserver } from "./running.ts";
import { createSettingsFacts } from "./settings.ts";
import { createTraceFacts } from "./traces.ts";
import { otherViewer, ownerViewer, type Viewer } from "./viewer.ts";
import { createPast } from "./workspaces.ts";

export { createWorkObserver, type ObserverSlot } from "./running.ts";

/** Who has come in by the local API or by the console. */
const OWNER = "owner";

/** What else it reads from. */
export interface ConsoleSources {
  readonly routines: RoutineService;
  readonly people: People;
  /** What is said in any channel, and where something runs. */
  readonly talk: Talk & { readonly observer: WorkObserver };
  /** Of the bot whose people the Mini App lets in. */
  readonly botToken: () => string | undefined;
}

/** What the console of a daemon is made with; loaded with its first request. */
export function openConsoleParts(
  app: Pick<App, "current" | "reloading" | "state" | "clock" | "env">,
  sources: ConsoleSources,
): ConsoleParts {
  const { people } = sources;
  const { current, clock } = app;
  return {
    facts: createConsoleFacts(app, sources),
    settings: current.agent.core.settings,
    files: () => openConsoleFiles(current.loaded.home),
    version: packageJson.version,
    language: () => current.loaded.config.default.language,
    onSignIn({ id, browser, signedInAt, other }) {
      const { console } = current.texts();
      current.agent.core.log("CONSOLE_SIGN_IN", { session: id, browser });
      const at = toLocalTime(new Date(signedInAt).toISOString());
      const press = { act: "end_browser", ref: id } as const;
      const options = [{ label: console.revoke, press }];
      const asked = { kind: "choice", text: console.notYou, options } as const;
      people.tell(console.signedIn(browser, at, id), [asked]);
      if (other !== undefined) people.tellPerson(other, console.cameIn(browser, at), [asked]);
    },
    now: clock.now,
    chats: {
      giveFile: (chat, file) => people.tellPerson(chat, "", [file]),
      giveText: people.sendText,
    },
    app: {
      botToken: sources.botToken,
      roleOf(userId) {
        if (people.phoneOwner() === `telegram:${userId}`) return "owner";
        return people.isListed(userId) ? "other" : undefined;
      },
    },
  };
}

function createConsoleFacts(
  app: Pick<App, "current" | "reloading" | "state" | "clock" | "env">,
  { routines, people, talk }: ConsoleSources,
): ConsoleFacts {
  const owner = ownerViewer(people.phoneOwner);
  const reviews = createReviews(app, owner);
  const past = createPast(app);
  const ofRoutines = createRoutineFacts(app, routines);
  const { current, clock, env } = app;
  const redact = (text: string) => current.agent.core.redact(text);
  const doctor = createDoctor({
    source: app.reloading.source,
    env,
    now: clock.now,
    redact,
    others: () => asksOthers(current.loaded.config),
  });
  const log = createLogFacts({ home: () => current.loaded.home, redact, clock });
  const { store } = app.state;
  const adopted = countAdopted(current);
  const mark = () => {
    const others = store.query<{ data_version: number }, []>("PRAGMA data_version").get();
    const own = store.query<{ n: number }, []>("SELECT total_changes() AS n").get();
    const { autonomy } = current.agent.core.security; // what may be pressed depends on it
    return `${others?.data_version} ${own?.n} ${doctor.turns()} ${adopted()} ${autonomy}`;
  };
  const inbox = createInbox({ app, reviews, viewer: owner, owners: { routines, doctor } });
  return {
    ...createPersonFacts(app, { viewer: owner, reviews, inbox, mark, talk }),
    of({ userId, prefix }) {
      const viewer = otherViewer(userId, prefix);
      const own = createReviews(app, viewer);
      const asked = createInbox({ app, reviews: own, viewer });
      return createPersonFacts(app, { viewer, reviews: own, inbox: asked, mark, talk });
    },
    past,
    routines: ofRoutines,
    traces: createTraceFacts(app),
    listen: (told) => talk.observer.listen(told),
    settings: createSettingsFacts(app),
    care: {
      doctor,
      log,
      people: createPeople(app, people.phoneOwner),
      spending: readSpending(app),
    },
    signs: () => [
      ...past.signs(),
      ...ofRoutines.signs(),
      ...reviews.signs(),
      { ...SETTINGS, sign: String(adopted()) },
    ],
  };
}

/** Of what pages are made with whatever else they show. */
const SETTINGS = { kind: "settings", name: "configuration" } as const;

/** How many configurations were in force since the first look. */
function countAdopted(current: App["current"]): () => number {
  let [known, count] = [current.loaded, 0];
  return () => {
    if (current.loaded !== known) [known, count] = [current.loaded, count + 1];
    return count;
  };
}

/** What is shown of it, and to whom. */
interface Seen {
  readonly viewer: Viewer;
  readonly reviews: Reviews;
  readonly inbox: Inbox;
  readonly mark: () => string;
  readonly talk: Talk;
}

/** What anybody sees: what they were asked, and what they talk about. */
function createPersonFacts(
  app: Pick<App, "current" | "state" | "clock">,
  { viewer, reviews, inbox, mark, talk }: Seen,
): PersonFacts {
  return {
    inbox: () => inbox.read(),
    mark: () => `${mark()} ${inbox.states()}`,
    chats: createChats(app, viewer, talk),
    // Of what the owner configured the others see the language, and whether anything can be changed.
    signs() {
      const { default: own, security } = app.current.loaded.config;
      const isLocked = security.autonomy === "readonly";
      return [...reviews.signs(), { ...SETTINGS, sign: `${own.language} ${isLocked}` }];
    },
    review: (approvalId) => reviews.review(approvalId),
    file: (approvalId, n, isRenamed) => reviews.file(approvalId, n, isRenamed),
    image: (approvalId, n, side) => reviews.image(approvalId, n, side),
    draft: (approvalId, said) => reviews.draft(approvalId, said),
    untick: (approvalId, parts) => reviews.untick(approvalId, parts),
    see: (approvalId, path, isSeen) => reviews.see(approvalId, path, isSeen),
    answering: (press, digest) => toAnswering(app, press, digest, viewer),
  };
}

/** What of a configuration is looked at by asking somebody, by the name of its finding. */
function asksOthers({ online_research, mcp }: Config): ReadonlyMap<string, string> {
  const servers = Object.entries(mcp.servers);
  return new Map([
    ["research", JSON.stringify(online_research)],
    ...servers.map(([name, set]) => [`MCP server ${name}`, JSON.stringify(set)] as const),
  ]);
}

/** Settings of the owner's, routines, and hosts that the configuration does not name. */
function isGate(act: Press["act"], approval: Approval): boolean {
  if (act === "reach") return true;
  return act === "approve" && approval.kind === "tool_call" && GATES.has(approval.tool);
}

/** What the owner does to routines, in no conversation. */
const OF_ROUTINES: ReadonlySet<Press["act"]> = new Set([
  "run_routine",
  "dry_run_routine",
  "stop_routine",
  "set_aside_run",
  "routine_on",
  "routine_off",
  "propose_routine",
  "change_routine",
]);

function toAnswering(
  app: Pick<App, "current">,
  { act, ref }: Press,
  digest: string | undefined,
  { isOwn, console: own }: Viewer,
): Answering {
  const { approvals, sessions, settings } = app.current.agent.core;
  const asked = (speaker: Speaker, isShown = false, opensGate = false): Answering => {
    const { sessionId, userId } = speaker;
    if (!isOwn(userId)) return { kind: "other person" };
    return { kind: "asked", speaker: { sessionId, userId }, isShown, opensGate };
  };
  const approval = approvals.load(ref);
  if (approval) {
    const shown = approval.kind === "change_set" ? approval.changeSetId : approval.callSha256;
    if (isOwn(approval.userId) && digest !== undefined && digest !== shown) {
      return { kind: "other digest" };
    }
    return asked(approval, digest !== undefined, isGate(act, approval));
  }
  const beside = settings.of("side_plan.").get(ref);
  if (beside) return asked(beside);
  const session = sessions.withPlans().find(({ planId }) => planId === ref);
  if (session) return asked(session);
  // Who was shown what it does to the files takes it back as the owner, whoever made it.
  const isTakenBack = act === "undo" || act === "redo";
  if (isTakenBack && digest !== undefined) return asked({ sessionId: own, userId: OWNER }, true);
  if (act === "undo") {
    const userId = settings.of("undo.").get(ref);
    if (userId !== undefined) return asked({ sessionId: own, userId }, true);
  }
  if (OF_ROUTINES.has(act)) return asked({ sessionId: own, userId: OWNER }, true);
  return { kind: "unknown" };
}
