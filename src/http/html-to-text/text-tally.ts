/** Text that runs on for this long without links or breaks is written to be read. */
const RUN_LENGTH = 100;
/** Text of this length without links says something; what is shorter may be the name of a menu. */
const SAYING_LENGTH = 24;
/** Longer than any name of a link: text that somebody forgot to end the link before. */
const MAX_LINK_LENGTH = 600;

/** How much text there was, in characters, and of which kind. */
export interface TextCounts {
  /** Outside of links. */
  readonly plain: number;
  /** In links, or in what is pressed like one. */
  readonly linked: number;
  /** Of the plain text what is prose. */
  readonly prose: number;
  /** How many runs of plain text say something, in words or figures. */
  readonly said: number;
  /** How many links there were. */
  readonly links: number;
  /** How many of them are facts by themselves: a number to call, a file to get. */
  readonly contacts: number;
  /** How many texts in links have figures in them: hours, prices, numbers to call. */
  readonly figures: number;
}

/** Counts the text of a page. */
export interface TextTally {
  /** Adds text; says whether it is a part of some prose. */
  readonly add: (length: number) => boolean;
  /** The text added last has figures in it. */
  readonly hadFigures: () => void;
  /** A link begins; the result ends it. */
  readonly openLink: (isContact: boolean) => () => void;
  /** Text does not run on from here. */
  readonly breakRun: () => void;
  readonly counts: () => TextCounts;
  /** Goes back to what was counted before. */
  readonly reset: (counts: TextCounts) => void;
}

/** A {@link TextTally} that has counted nothing. */
export function createTextTally(): TextTally {
  let [plain, linked, prose, said, links, contacts, figures] = [0, 0, 0, 0, 0, 0, 0];
  let [runPlain, runLinked] = [0, 0];
  let [linkDepth, linkLength] = [0, 0];

  const isSaying = () => runPlain >= SAYING_LENGTH && runPlain > runLinked;
  const isProse = () => runPlain >= RUN_LENGTH && runPlain > runLinked;
  const closeLink = () => {
    linkDepth -= 1;
  };

  return {
    add(length) {
      linkLength += length;
      if (linkDepth > 0 && linkLength < MAX_LINK_LENGTH) {
        linked += length;
        runLinked += length;
        return false;
      }
      const [wasProse, wasSaying] = [isProse(), isSaying()];
      plain += length;
      runPlain += length;
      if (!wasSaying && isSaying()) said += 1;
      if (!isProse()) return false;
      prose += wasProse ? length : runPlain;
      return true;
    },
    hadFigures() {
      if (linkDepth > 0) figures += 1;
      else said += 1;
    },
    openLink(isContact) {
      linkDepth += 1;
      linkLength = 0;
      links += 1;
      if (isContact) contacts += 1;
      return closeLink;
    },
    breakRun() {
      runPlain = 0;
      runLinked = 0;
    },
    counts: () => ({ plain, linked, prose, said, links, contacts, figures }),
    reset(counts) {
      ({ plain, linked, prose, said, links, contacts, figures } = counts);
    },
  };
}
