import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createSandbox, phoneConfig } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const ROOT = join(import.meta.dir, "../..");
const COUNTER = join(import.meta.dir, "../support/count-loads.ts");

const COMMANDS = ["--version", "status", "ask", "start"] as const;
type Command = (typeof COMMANDS)[number];

interface Loaded {
  readonly ours: number;
  readonly packages: number;
  readonly kilobytes: number;
}

/**
 * What a command loads before its first step, in files of ours, files of packages, and kilobytes of
 * both, as they stood when raises became {@link RAISES}; one that is not reached is lowered.
 * In each, one file and up to four kilobytes are what runs a command line apart from the process.
 */
const BEGUN: Readonly<Record<Command, Loaded>> = {
  // Prints a constant: the table of commands, argv, outputs. One kilobyte is the look at whether Bun
  // has read files of the folder or above it, which has to come before anything else is loaded.
  // Two, here and below: what a command left is looked for among what was started since.
  // One file, here and below, for how the C library is loaded.
  // Two files and four kilobytes for how papa-yu was made, which is a command; two for options near a mistyped one.
  // One kilobyte for what may fail in an expected way: who catches it by its code loses no other.
  // One kilobyte for what a terminal can more than plain lines, which is loaded there alone.
  // Two kilobytes for what a terminal can more than plain lines, which is loaded there alone.
  // One, here and twice below, for papayu open, which is a command.
  "--version": { ours: 20, packages: 0, kilobytes: 56 },
  // Asks the daemon's socket; no configuration, no database. The facts of every key are in the schema.
  // The same look at the folder.
  // Here and below, what leaves a stranger's broken config.toml out and keeps what it made stricter:
  // two kilobytes of places, three of loading, one of following.
  // Two more, here and below, for what refuses a trusted file that broke.
  // Three more, here and below, for the keys that say when checks run and what of them is kept.
  // Two kilobytes for what makes lock files: its keys and what is said of it.
  // Three more, here and below, for what is said of checks that nobody has seen or that take too long.
  // Four, here and below, for what is said of several ways to a goal, in three languages.
  // One file and three kilobytes, here and below: what is said of ways has a file, and of one more.
  // Six kilobytes, here and three more with a file below, for plans that are carried out part by part.
  // One for a press on the socket.
  // A configuration's place is told with its bytes; one file, here and below, by which all text is shortened.
  // The same file.
  // One for the steps of a large goal.
  // Four, here and below, for what is said of tools that failed, in three languages.
  // One kilobyte, here and above: what is different where papa-yu was built.
  // Three for [retention]: its keys, and what is said of the last pass.
  // A file and two kilobytes, here and below, for what a listing or a search leaves out and says.
  // Five, here, two below: what is said of a pass that failed, was cut off or waits for the clock.
  // Four files, here and two below, and twenty kilobytes, ten below: failures in the language of the interface.
  // Six, here and below, for lists that say how many they left out.
  // Two, here and below: where a terminal is asked what it can, and words of ours are cut at its edge.
  // Three files and eleven kilobytes, here and a file and fifteen below: what was tolerated of a patch, in three languages.
  // One for what holds until the event loop turns; two files and some kilobytes, below, for rows that are known and for events of a stream.
  // What counts reads nothing in Bun's place any more: one package could not be read so, here and below.
  // Four, here and seven below: what is said of parts that are left out of a change set and of comments on it.
  // One, here and below, for lines of a change set that a person writes themselves; one more below for why a server ended.
  // One, three and two for a routine that is changed in words.
  // One, here and below, for what is said to other people who open the page that Telegram shows.
  // One, here and below, for a key more at a question, and the number of a check.
  // One here, and two below, for what is said where a yes is none: what it would answer was not shown there.
  // Two for what helps against each trouble of the database, which is among the words now. Two more, three
  // below, for what the built-in rules say of words that they cannot follow.
  status: { ours: 70, packages: 8, kilobytes: 408 },
  // Up to the request to the model: configuration, database, the openai client, the tools. Seven files
  // for the families of settings, their parsers, their expiry and what moves with a chat; plain
  // names are longer, which is 2 % of the kilobytes.
  // Up to seven kilobytes for presses that are bound to a workspace and wait only for what they have to.
  // Two files and 7 kilobytes for the spellings of secrets, without which nothing may be said.
  // Two, here and above and below, for notes that cannot be read and names that cannot be seen.
  // Four kilobytes, here and below, for commands that run in a view of their folder.
  // One for the end of a terminal, and three, here and below, for a log that says whose it is.
  // Four, here and below, for what may have run when a work was cut off, and for one request per plan.
  // Two files, here and below: what finds secrets, and what does with backslashes between.
  // Three files and eighteen kilobytes, here and below, for what is said of checks before a yes.
  // One file, here and below: where programs come from that run outside of the sandbox.
  // Fourteen kilobytes, here and below, for lock files that are made before a yes.
  // One file and seven kilobytes, here and below: the first migrations have a file, and two tables more.
  // Seven, here and below, and three above, for corrections: their key, their texts, what is told.
  // One, here and below, for names and comments in full words, and one for a folder at state.db-wal.
  // Two, here and below, and one above, for files of checks that a person keeps.
  // One file and one kilobyte, here and below: which summary says that nothing has to change; the planner asks it too.
  // Three, here and four below: outside text that is marked in plans, glued keys, what corrections touch.
  // One, here and below, for what is said of modes that a patch names.
  // Two files and fourteen kilobytes, here and below, for another way to what is asked about.
  // One file and nine kilobytes, here and below, for what is said of the parts of a plan.
  // One, here and below, for the key of a model's window.
  // Two files and ten kilobytes, here and below: secrets beside a cut, in dumps and over several lines.
  // A file and two kilobytes more, here and below, for the pipe that commands write into.
  // Seven, here and below: secrets that are wrapped, in digits or in a dump, beside a cut.
  // Two, here and below: parts that went on after a stop are of one goal, and are told so.
  // Three, here and below, for hosts that a person opens for one change set.
  // Two, here and below, for what was shown for a yes, whatever modes files get behind it.
  // Two for what is typed before a question, and for an option that is given twice.
  // One, here, and two below, for the hosts that a question named.
  // A file and thirteen kilobytes, here and below, that tell what tools really failed with, and keep
  // a turn from asking again what asked to be left alone.
  // One, here, and two below: where its own files and programs are, however it was installed.
  // And three kilobytes for that, here, and five below, and for how it starts what helps it.
  // Eleven, here and two more below, for [retention], indexes, and a past that is read from its end.
  // Seven, here and below, for a plan that is made already or to be made again, and hosts nobody opens.
  // One file for the front of the tools that look at files.
  // Four, here and below, for a plan that is made already, and one that is to be made again.
  // A file and two kilobytes, here and below, for what a listing or a search leaves out and says.
  // Three, here and below, for values of others that are read and written to a depth.
  // Three, here and two below, for what a message need not look at again.
  // Five, here and three below, and two above, for calls that were not even tried, and what is said of them.
  // Five, here and below with a file for their names, for traces that are lines of one file a day.
  // A file and seven, here and below, for pieces of an answer that say what they are, and what differs in lines of a diff.
  // Three, here and below, for what a tick writes in one commit.
  // Seven, here and below, for pieces of an answer that say what they are, and what differs in lines of a diff.
  // One file and eight kilobytes: what a person waits for is told in a passing line.
  // Thirty files and the client of the model, which were loaded before as well: what counted ended there.
  // One kilobyte for the lines of a check that runs.
  // One and four kilobytes, here and below, that know a secret in any text of a configuration.
  // One for the key that names the host of a proxy.
  // Four files less, here, and five below: what had one caller and was short is in its caller.
  // Two, here and below, for lines of a diff that are painted in more than one way, and colours that may be printed.
  // A file and nine kilobytes, here, ten below: what a check prints for a terminal is read in its
  // colours, and a reason why a trace cannot be read names its file.
  // Two files and five kilobytes, here, and one and five below: how far something is, and its bar.
  // What a conversation showed is kept beside its messages: seven kilobytes here, with what tells it of the API.
  // Three here, and one below: a question waits for the screen, and is still there after Ctrl-Z.
  ask: { ours: 325, packages: 237, kilobytes: 2937 },
  // Up to the first long poll: configuration, database, grammY; no planner, no model, no web. The
  // same as above, the timer that forgets what has expired, and two kilobytes for whom a death of the
  // daemon is blamed on. Five for the interfaces by which each part of the daemon says what it uses.
  // Four for other work beside a message, and for a command in a caption, one for a fix below a question.
  // One for a bot's name whose holder may be slow to say so.
  // Two files more, by whom plans were made: what a start tells of plans is read with them.
  // One more, and four kilobytes, for what git keeps although it is ignored.
  // One, here and above, for the end of a model's answer, which is waited for.
  // One for what became of a row of parts, told by all of their journals.
  // Two, as above, for an option that is given twice and what is typed before a question.
  // Two, here and above, for the steps of a large goal.
  // A file and two kilobytes, here and below, for what a listing or a search leaves out and says.
  // Two files: Markdown is mended and tables are aligned for a terminal as for a phone. Four kilobytes: a greeting that is cut between words.
  // Two for the door to what pages of the console read, which is loaded with the first of them.
  // Fifty-seven files, which were loaded before as well: what counted ended there.
  // Without the chat of a daemon in front, and with what clears up behind it, which may come before the poll.
  // One for a goal with what was said of plans for it: what waits is looked at, and what plans with it.
  // Three for the conversations that a page lists and reads.
  // Two for the door to the settings of a page, and for keys that say that they name a program.
  // One for what is kept of files that somebody has looked at.
  // Three files for who is answered by the host of a proxy, and what is read of a request.
  // Eleven for what a conversation showed, who hears what is said in any channel, and what is said from a page on the phone.
  // Five for what a yes is for, how a command is read, and the button that opens a review.
  start: { ours: 407, packages: 10, kilobytes: 2059 },
};

/** What a command loads more since, and what for: there is no raise without a word. */
type Raise = Partial<Loaded> & { readonly why: string };
const RAISES: Readonly<Record<Command, readonly Raise[]>> = {
  "--version": [
    { ours: 1, kilobytes: 3, why: "JSON counts as well: the version, in package.json" },
    { kilobytes: 1, why: "what was said and not shown is known, and asked about by nobody" },
    { ours: 1, kilobytes: 1, why: "a window that closes asks for an end, unless that is ignored" },
  ],
  status: [
    {
      ours: 2,
      kilobytes: 66,
      why: "JSON counts: the version, and the schema of the configuration",
    },
    {
      ours: 1,
      kilobytes: 3,
      why: "a workspace whose folder is gone is said in the person's language",
    },
    { kilobytes: 2, why: "what decides where a secret goes is in the schema of the configuration" },
    { kilobytes: 1, why: "and an example for each pattern" },
    { kilobytes: 1, why: "why two of the lines that a person writes cannot both count" },
    { kilobytes: 5, why: "an answer that was cut says so, and why" },
    { kilobytes: 1, why: "and what is left of a cap, where that cut it" },
    { kilobytes: 3, why: "what is said of rights that files get or lose" },
    { kilobytes: 1, why: "checks that miss a network, and an undo of what is gone already" },
    { kilobytes: 2, why: "which list of an MCP server is the owner's, and that no chat says so" },
    { kilobytes: 1, why: "the owner's file that is in force, where it is gone or empty" },
    { kilobytes: 2, why: "whose daemon runs the routines of a home that was copied" },
    { kilobytes: 2, why: "what is said of files that are back as another's, or against a person" },
    { kilobytes: 1, why: "where is kept what a program wrote late" },
    { kilobytes: 1, why: "what a yes to a whole says of which something is unticked" },
    { ours: 1, kilobytes: 1, why: "a window that closes asks for an end, unless that is ignored" },
    { kilobytes: 1, why: "a question that Telegram does not take is said to be lost" },
    {
      kilobytes: 1,
      why: "which commands have colours, and a folder that is told with what is wrong",
    },
    {
      kilobytes: 2,
      why: "places are told apart by who reads: a group, or whoever is not the owner",
    },
    {
      ours: 1,
      kilobytes: 4,
      why: "what is said of a message that Telegram does not take, in each language",
    },
    {
      kilobytes: 1,
      why: "a name that is masked is led back to its file, and how much may be said",
    },
    { kilobytes: 3, why: "a routine that watches not all its files, and the timezone of now" },
    {
      kilobytes: 2,
      why: "what is said of messages without their buttons, and of a yes to what may have arrived",
    },
  ],
  ask: [
    {
      ours: 3,
      packages: -1,
      kilobytes: 66,
      why: "JSON, as above, and a validator of ours that counted as a package",
    },
    { ours: 1, kilobytes: 3, why: "a workspace whose folder is gone, as above" },
    {
      ours: 1,
      kilobytes: 9,
      why: "a run of a routine that is set aside, and words of its answers",
    },
    { ours: 1, kilobytes: 2, why: "whether a plan can be applied in the mode that holds" },
    { kilobytes: 3, why: "what decides where a secret goes, as above" },
    { kilobytes: 1, why: "an example for each pattern, as above" },
    { kilobytes: 1, why: "whose machine it is, so that others hear of no folder of it" },
    { kilobytes: 1, why: "what was said and not shown, as above" },
    { ours: 1, kilobytes: 1, why: "the home is told of an end before the journal" },
    { kilobytes: 1, why: "why two lines cannot both count, as above" },
    { kilobytes: 3, why: "which question came of a request that has a name" },
    {
      kilobytes: 2,
      why: "what counts as a number of tokens, and thoughts that a server counts apart",
    },
    { ours: 1, kilobytes: 2, why: "ids of calls as every server takes them" },
    {
      kilobytes: 7,
      why: "what a model gives with its calls for itself, and what servers say of it",
    },
    { kilobytes: 2, why: "calls side by side that a server does not number" },
    { ours: 1, kilobytes: 2, why: "where a stream ends that does not say it as most do" },
    { kilobytes: 1, why: "what a request may cost that came to no end" },
    { kilobytes: 1, why: "what changes something is asked of a busy service once" },
    { kilobytes: 3, why: "what strangers say of their tools is labelled where it is shown" },
    { kilobytes: 2, why: "checks that miss a network, as above, and calls said again" },
    { kilobytes: 1, why: "what was left out of a request to save room may be read again" },
    { ours: 1, kilobytes: 7, why: "an answer that was cut says so, and why" },
    { kilobytes: 2, why: "what a minute of speech costs is in the schema of the configuration" },
    {
      ours: 3,
      kilobytes: 14,
      why: "what is said of rights, as above, and what keeps owners, access lists and folders",
    },
    {
      ours: 2,
      kilobytes: 13,
      why: "which of its thoughts go back to a model, in which form, and which failures cost nothing",
    },
    {
      ours: 1,
      kilobytes: 10,
      why: "which names of a server's tools a request has, and which list is the owner's",
    },
    { kilobytes: 2, why: "the owner's file that is in force, and what is said of it" },
    {
      ours: 3,
      kilobytes: 11,
      why: "which process runs a routine, since when its instants count, and the timezone of the machine",
    },
    {
      ours: 2,
      kilobytes: 15,
      why: "what a file is checked with once it was moved, whose it is by a new name, and what is said of it",
    },
    { ours: 2, kilobytes: 6, why: "how the newest attempt at a plan failed stays with it" },
    { kilobytes: 2, why: "the same, and that nobody opens a copy early" },
    {
      ours: 2,
      kilobytes: 6,
      why: "what an answer to a question does, and asking it, are files of their own",
    },
    { ours: 1, kilobytes: 1, why: "a window that closes asks for an end, unless that is ignored" },
    { kilobytes: 1, why: "a yes is one to what its channel has shown" },
    { ours: 1, kilobytes: 5, why: "one fetch for all, which goes around a proxy for this machine" },
    { kilobytes: 1, why: "what is shown of checks is kept, and ids by their beginning" },
    {
      ours: 1,
      kilobytes: 3,
      why: "a provider whose key cannot be had is looked for before a configuration is written",
    },
    {
      kilobytes: 2,
      why: "names that no path can hold are counted, and more names are protected",
    },
    {
      ours: 1,
      kilobytes: 4,
      why: "what is said of a message that Telegram does not take, in each language",
    },
    {
      kilobytes: 2,
      why: "a name that is masked is led back to its file, and how much may be said",
    },
    { kilobytes: 4, why: "what is said of routines that were left out, or not watched whole" },
    {
      kilobytes: 2,
      why: "folders that can never be a workspace are named, and an id under which nothing is kept",
    },
    { kilobytes: 3, why: "names that are protected as files alone, and marks in each language" },
    {
      kilobytes: 2,
      why: "what is said of messages without their buttons, and of a yes to what may have arrived",
    },
  ],
  start: [
    { ours: 3, packages: -1, kilobytes: 66, why: "JSON and the validator, as above" },
    { ours: 2, kilobytes: 4, why: "the same two" },
    { kilobytes: 7, why: "what is said of a configuration that was found beside the owner's" },
    { kilobytes: 2, why: "which failures of a model waiting does not mend, for routines" },
    { kilobytes: 3, why: "what decides where a secret goes, as above" },
    { kilobytes: 1, why: "an example for each pattern, as above" },
    { kilobytes: 1, why: "whose machine it is, so that others hear of no folder of it" },
    { kilobytes: 1, why: "what was said and not shown, as above" },
    { kilobytes: 2, why: "the home is told of an end before the journal" },
    { kilobytes: 2, why: "what a program wrote into a file whose place was taken stays" },
    { kilobytes: 1, why: "the same sentence about lines" },
    { kilobytes: 3, why: "which question came of a request, as above" },
    {
      kilobytes: 2,
      why: "what counts as a number of tokens, and thoughts that a server counts apart",
    },
    { kilobytes: 2, why: "ids of calls as every server takes them" },
    {
      kilobytes: 7,
      why: "what a model gives with its calls for itself, and what servers say of it",
    },
    { kilobytes: 2, why: "calls side by side that a server does not number" },
    { kilobytes: 3, why: "where a stream ends that does not say it as most do" },
    { kilobytes: 1, why: "what a request may cost that came to no end" },
    { kilobytes: 1, why: "what changes something is asked of a busy service once" },
    { kilobytes: 3, why: "what strangers say of their tools is labelled where it is shown" },
    { kilobytes: 1, why: "what was left out of a request to save room may be read again" },
    { ours: 1, kilobytes: 7, why: "an answer that was cut says so, and why" },
    { ours: 1, kilobytes: 2, why: "what was heard of a voice message is kept with its row" },
    { kilobytes: 3, why: "what a minute of speech costs, as above, and that voice is paid for" },
    {
      ours: 3,
      kilobytes: 16,
      why: "what is said of rights, as above, and what keeps owners, access lists and folders",
    },
    {
      kilobytes: 13,
      why: "which of its thoughts go back to a model, in which form, and which failures cost nothing",
    },
    {
      kilobytes: 10,
      why: "the same of servers' tools, with words that go back, and who reads a failure",
    },
    {
      ours: 3,
      kilobytes: 12,
      why: "chats that became others, texts that cannot be files, and the owner's file as above",
    },
    { kilobytes: 1, why: "calls said again, as above" },
    {
      ours: 5,
      kilobytes: 27,
      why: "the same of routines, one daemon for a home and its copies, and folders that are watched anew",
    },
    {
      ours: 5,
      kilobytes: 32,
      why: "the same of files, with what a roll-back keeps of a save that came in between",
    },
    { ours: 2, kilobytes: 4, why: "the same attempts at plans" },
    { ours: 2, kilobytes: 7, why: "the same, for all that is moved out of a path" },
    {
      ours: 2,
      kilobytes: 3,
      why: "what an answer to a question does, and asking it, are files of their own",
    },
    {
      ours: 1,
      kilobytes: 8,
      why: "which plan or question a message of the phone shows, and who saw it",
    },
    {
      kilobytes: 3,
      why: "keys that no header takes, and where the console is while nothing listens",
    },
    { kilobytes: 2, why: "what is shown of checks is kept, and ids by their beginning" },
    {
      ours: 1,
      kilobytes: 4,
      why: "a provider whose key cannot be had is looked for before a configuration is written",
    },
    {
      ours: 1,
      kilobytes: 5,
      why: "a name that no path can hold is cut and spelled out, and more names are protected",
    },
    {
      ours: 1,
      kilobytes: 4,
      why: "what is said of a message that Telegram does not take, in each language",
    },
    {
      ours: 2,
      kilobytes: 4,
      why: "a chat that is slowed down waits in no place of others; who is told what was given up",
    },
    {
      ours: 4,
      kilobytes: 12,
      why: "what Telegram refuses goes without that, or as several messages",
    },
    {
      kilobytes: 2,
      why: "a name that is masked is led back to its file, and how much may be said",
    },
    {
      ours: 2,
      kilobytes: 11,
      why: "what waits for its turn is asked again, and the timezone of now",
    },
    {
      ours: 1,
      kilobytes: 2,
      why: "what was left in scratch folders is looked for before the first poll, now and then",
    },
    { kilobytes: 3, why: "names that are protected as files alone, and marks in each language" },
    {
      kilobytes: 5,
      why: "what is said of messages without their buttons, and of a yes to what may have arrived",
    },
  ],
};

function budgetOf(name: Command): Loaded {
  const sum = (key: keyof Loaded) =>
    RAISES[name].reduce((total, raise) => total + (raise[key] ?? 0), BEGUN[name][key]);
  return { ours: sum("ours"), packages: sum("packages"), kilobytes: sum("kilobytes") };
}

/** Numbers below this part of a budget show that it is too wide to hold anything. */
const REACHED = 0.95;

const MORE =
  "load it later with import(), or add a row to RAISES of start-up-budget.test.ts that says how much and why";
const LESS = "lower BEGUN, or a row of RAISES, of start-up-budget.test.ts to what is loaded";

/** Who ends by itself, and how; the others are measured while they wait for their first answer. */
const ENDS: Readonly<Record<string, number>> = { "--version": 0, status: 4 };

/** As `start --detach` starts it: what the chat of one in front loads comes before the first poll or after. */
const ARGS: Readonly<Record<string, readonly string[]>> = {
  ask: ["ask", "hi"],
  start: ["start", "--detached", "--json"],
};

test.each(COMMANDS)("papayu %s loads what it needs first", async (name) => {
  const budget = budgetOf(name);
  using dir = tempDir("papayu-budget-");
  const loads = join(dir.path, "loads");
  const first = Promise.withResolvers<Loaded>();
  // The one request that counts is never answered, so that nothing comes after it.
  const isFirstStep = /\/chat\/completions$|\/getUpdates$/u;
  const me = { id: 1, is_bot: true, first_name: "b", username: "b" };
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch({ url }) {
      if (!isFirstStep.test(url))
        return Response.json({ ok: true, result: url.endsWith("/getMe") ? me : true });
      first.resolve(readLoads(loads));
      return new Promise<never>(() => {});
    },
  });
  writeTree(join(dir.path, "w"), { "a.txt": "x\n" });
  const url = server.url.origin;
  const config = `${phoneConfig(`${url}/v1`, url, 501)}[[workspaces]]\nname = "w"\npath = "./w"\n`;
  const { env } = createSandbox(dir.path, config, {
    TELEGRAM_BOT_TOKEN: "1:budget",
    LOADS_LOG: loads,
  });
  const args = ARGS[name] ?? [name];
  const child = Bun.spawn(
    [process.execPath, "--preload", COUNTER, join(ROOT, "src/main.ts"), ...args],
    { cwd: dir.path, env, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const said = child.stderr.text();
  void child.exited.then(async (exitCode) => {
    if (exitCode === ENDS[name]) return first.resolve(readLoads(loads));
    first.reject(new Error(`papayu ${name} ended with ${exitCode}: ${await said}`));
  });
  const loaded = await first.promise;
  child.kill("SIGKILL");
  await child.exited;
  for (const each of ["ours", "packages", "kilobytes"] as const) {
    const what = `${each} of papayu ${name}`;
    expect(loaded[each], `${what}: ${MORE}`).toBeLessThanOrEqual(budget[each]);
    expect(loaded[each], `${what}: ${LESS}`).toBeGreaterThanOrEqual(budget[each] * REACHED);
  }
});

function readLoads(log: string): Loaded {
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  const loads = lines.map((line) => {
    const [bytes = "", ...path] = line.split(" ");
    return { bytes: Number(bytes), path: relative(ROOT, path.join(" ")) };
  });
  const ours = loads.filter(({ path }) => /^(?:src|schemas)\/|^package\.json$/u.test(path));
  const bytes = loads.reduce((sum, load) => sum + load.bytes, 0);
  return {
    ours: ours.length,
    packages: loads.length - ours.length,
    kilobytes: Math.round(bytes / 1000),
  };
}
