import type { Widened } from "../widened.ts";

/** Why a request of the web console gets nothing, in one language. */
export type RefusedWords = Widened<typeof REFUSED_EN>;

/** The same in English, which programs that use the API read as well. */
export const REFUSED_EN = {
  noSession: "no such session; papayu open lets this browser in",
  signInAgain: "this opens what is closed, and wants a login younger than ten minutes: papayu open",
  ownersOnly: "this is the owner's",
  wrongLogin: "the code is wrong, used or too old; papayu open gives another",
  noBot: "there is no bot whose people could come in",
  notBelieved: (code: string) => `what Telegram gave is not believed: ${code}`,
  unknownToBot: "the bot does not know you; write to it first",
  usedBefore: "what Telegram gave was used before; open the page again",
  pageOff: (reason: string) => `the page is not served: ${reason}`,
  tooManyPages: (count: number) => `${count} pages listen already; close some`,
  failedHere: "it failed on the machine; its owner can read why",
  /** `message` is exact, in English. */
  defect: "papa-yu itself failed; its log says of what (HTTP_DEFECT)",
  bodyTooLong: (bytes: number) => `the body is longer than ${bytes} bytes`,
  bodyLate: "the body did not come in time",
  workRuns: (id: string) => `"${id}" runs; GET /api/work/ID says what became of it`,
  otherPerson: (ref: string) => `somebody else was asked about "${ref}"; only they can answer`,
  otherChange: (ref: string) => `"${ref}" is about another change than the one that was shown`,
  otherConversation: (ref: string) => `"${ref}" was asked in another conversation`,
  noConversation: "there is no such conversation of yours",
  notToSpeakIn: "there is no such conversation of yours to speak in",
  takesNoFiles: "a command or an answer takes no files: say what is to be done",
  fileForgotten: "a file is not known here any more: send it again",
  filesTakenThere: "files are taken at the machine alone",
  filesGivenThere: "files are given at the machine alone",
  fileGone: "no such file was given there, or it is another by now",
  filesGoing: (count: number) => `${count} files are on their way already`,
  filesComing: (count: number) => `${count} files come in already`,
  fileTooLarge: (megabytes: number) => `the file is over ${megabytes} MB`,
  fileLate: "the file did not come in time",
  fileCutOff: "the file did not come whole",
  noChatForFile: "there is no chat into which it could be sent",
  noPicture: "there is no such picture, or it is too large",
  noChangeSet: "no such change set was asked about, or it has no such file",
  notDrafted: "not kept: the change set does not wait for you any more",
  noFileToSay: (path: string) =>
    `not kept: the change set has no file "${path}"; say it of one of its files, or of all of it`,
  noLineToSay: (path: string, line: number, to: number, count: number) =>
    `not kept: it is said of lines ${line} to ${to} of "${path}", which has ${count} on that side; give lines from 1 to ${count}`,
  noLinesToSay: (path: string) =>
    `not kept: "${path}" has no lines on that side; say it of the file as a whole`,
  notSeen: "not kept: the change set does not wait for you any more, or has no such file or change",
  severalFiles: (path: string) =>
    `not kept: several files of the change set are shown as "${path}"; nobody can know which one is meant`,
  tooMuchSaid: (count: number, each: number, all: number) =>
    `at most ${count} comments can be sent of one change set, of ${each} characters each and ${all} in all`,
  noTransaction: "there is no such workspace or transaction, or it has no such file",
  filesChanged: "the files are others by now than those that were shown; read it again",
  noRoutine: "there is no such routine, nor a run of one",
  noTrace: "there is no such workspace or trace",
  tooManyTraces: "there are too many traces to be read in a minute; ask for fewer days",
  otherSettings: "the file is another by now than the one that was read; read it again",
  wrongSettings: "the text is not right",
  settingsTooLong: (characters: number) => `longer than ${characters} characters`,
  noKey: (name: string) => `there is no key "${name}"`,
  /** `reason` is exact, in English. */
  keyNotPut: (reason: string) => reason,
  wrongCode: (triesLeft: number) =>
    `nobody waits with this code; ${triesLeft} more tries this hour`,
  codesLocked: (until: string) => `too many wrong codes; again ${until}`,
  nobodyWaits: (id: number) => `nobody with the id ${id} waits`,
  nobodyLetIn: (id: number) => `nobody with the id ${id} was let in`,
  noBrowser: "no browser is let in under this id",
} as const;
