/** What of a language has a look of its own, as far as it can be told line by line. */
export interface Language {
  /** What begins a comment that goes to the end of its line. */
  readonly line: readonly string[];
  /** A `#` within a word begins none. */
  readonly afterBlank?: boolean;
  /** Comments that may go over lines: where they begin, and end. */
  readonly blocks: readonly Span[];
  /** The same of strings. */
  readonly longs: readonly Span[];
  /** Quotes of strings that end in their line. */
  readonly quotes: string;
  /** A `'` is around one character, or stands for something else. */
  readonly ticks?: boolean;
  /** A `/` where a value may begin begins an expression to match. */
  readonly slashes?: boolean;
  /** Upper or lower case, a word is the same. */
  readonly caseless?: boolean;
  /** Words with a `-` in them are one. */
  readonly dashes?: boolean;
  /** What stands before one of these is a name. */
  readonly keys?: string;
  /** Names behind a `<` are those of elements, and quotes count behind a `=`. */
  readonly isMarkup?: boolean;
  /** Quotes and code in prose. */
  readonly isProse?: boolean;
  readonly words: ReadonlySet<string>;
  /** What any of this may begin with. */
  readonly starts: string;
}

/** Where something begins, and where it ends. */
type Span = readonly [open: string, close: string];

const SLASHES = { line: ["//"], blocks: [["/*", "*/"]], longs: [], quotes: `"'` } as const;
const HASHES = { line: ["#"], blocks: [], longs: [], quotes: `"'` } as const;
const NONE = { line: [], blocks: [], longs: [], quotes: "" } as const;
const LONG_QUOTES = [
  ['"""', '"""'],
  ["'''", "'''"],
] as const;
const BACKTICK = ["`", "`"] as const;
const MARKUP = [["<!--", "-->"]] as const;

/** Words of most languages that have braces; few of them are names in the others. */
const COMMON =
  "break case catch class const continue default do else enum extends false final finally for if implements import in interface new null package private protected public return static super switch this throw throws true try void while";

/** The languages that are known here, several in one where they differ in a few words. */
export const LANGUAGES = {
  script: {
    ...SLASHES,
    longs: [BACKTICK],
    slashes: true,
    words: `${COMMON} abstract as asserts async await constructor declare delete export from function get infer instanceof is keyof let namespace never of override readonly satisfies set type typeof undefined unique unknown using var with yield any boolean number object string symbol`,
  },
  c: {
    ...SLASHES,
    words: `${COMMON} alignas alignof auto bool char concept consteval constexpr constinit co_await co_return co_yield decltype define delete double elif endif error explicit extern float friend goto ifdef ifndef include inline int long mutable namespace noexcept nullptr operator pragma register requires short signed sizeof struct template typedef typeid typename union unsigned using virtual volatile`,
  },
  managed: {
    ...SLASHES,
    longs: [LONG_QUOTES[0]],
    words: `${COMMON} abstract as assert async await base bool boolean byte char companion data decimal def delegate double event explicit extension fixed float foreach fun get given goto implicit init instanceof int internal is it late lazy lock long match namespace native object open operator out override params partial permits readonly record ref sealed set short sizeof string struct suspend synchronized trait transient type uint ulong unsafe ushort using val var virtual volatile when where with yield`,
  },
  go: {
    ...SLASHES,
    longs: [BACKTICK],
    words:
      "any bool break byte case chan complex128 complex64 const continue default defer else error fallthrough false float32 float64 for func go goto if import int int16 int32 int64 int8 interface iota map nil package range return rune select string struct switch true type uint uint16 uint32 uint64 uint8 uintptr var",
  },
  rust: {
    ...SLASHES,
    quotes: '"',
    ticks: true,
    words:
      "as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i128 i16 i32 i64 i8 if impl in isize let loop macro_rules match mod move mut pub ref return self Self static str struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while",
  },
  swift: {
    ...SLASHES,
    quotes: '"',
    longs: [LONG_QUOTES[0]],
    words: `${COMMON} actor any as associatedtype async await defer deinit didSet extension fallthrough fileprivate func get guard indirect init inout internal is lazy let mutating nil open operator optional override precedencegroup protocol repeat required rethrows self Self set some struct subscript typealias unowned var weak where willSet`,
  },
  zig: {
    ...SLASHES,
    blocks: [],
    quotes: '"',
    ticks: true,
    words:
      "align and anyerror anytype asm async await bool break catch comptime const continue defer else enum error errdefer export extern false fn for if inline null or orelse packed pub return struct suspend switch test true try type undefined union unreachable usize var void volatile while",
  },
  php: {
    ...SLASHES,
    line: ["//", "#"],
    words: `${COMMON} abstract and array as clone declare echo elseif empty endforeach endif endwhile exit fn foreach function global goto include include_once instanceof insteadof isset list match mixed namespace or parent print readonly require require_once self string int float bool trait unset use var xor yield`,
  },
  python: {
    ...HASHES,
    longs: LONG_QUOTES,
    words:
      "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try type while with yield",
  },
  ruby: {
    ...HASHES,
    afterBlank: true,
    words:
      "alias and begin break case class def defined? do else elsif end ensure extend false for if in include module next nil not or private protected public raise redo require require_relative rescue retry return self super then true undef unless until when while yield attr_accessor attr_reader attr_writer",
  },
  elixir: {
    ...HASHES,
    quotes: '"',
    longs: [LONG_QUOTES[0]],
    words:
      "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue true try unless unquote use when with",
  },
  shell: {
    ...HASHES,
    afterBlank: true,
    dashes: true,
    words:
      "break case cd continue do done echo elif else esac eval exec exit export false fi for function if in local printf read readonly return select set shift source then trap true unset until while",
  },
  perl: {
    ...HASHES,
    afterBlank: true,
    words:
      "and chomp defined die do each else elsif eval exists for foreach if keys last local map my next no not or our package print push qw require return scalar shift splice split sub undef unless until use values while",
  },
  r: {
    ...HASHES,
    words:
      "break else FALSE for function if in Inf library NA NaN next NULL repeat require return TRUE while",
  },
  docker: {
    ...HASHES,
    afterBlank: true,
    caseless: true,
    words:
      "add arg as cmd copy entrypoint env expose from healthcheck label onbuild run shell stopsignal user volume workdir",
  },
  make: {
    ...HASHES,
    keys: ":",
    words: "define else endef endif export ifdef ifeq ifndef ifneq include override",
  },
  yaml: {
    ...HASHES,
    afterBlank: true,
    dashes: true,
    keys: ":",
    words: "false no null off on true yes",
  },
  toml: { ...HASHES, longs: LONG_QUOTES, dashes: true, keys: "=", words: "false inf nan true" },
  ini: {
    ...HASHES,
    line: ["#", ";"],
    afterBlank: true,
    keys: "=",
    words: "false no off on true yes",
  },
  terraform: {
    ...SLASHES,
    line: ["#", "//"],
    quotes: '"',
    keys: "=",
    words:
      "bool data each else false for if in list local locals map module null number output provider resource string terraform true var variable",
  },
  nix: {
    ...HASHES,
    blocks: [["/*", "*/"]],
    quotes: '"',
    longs: [["''", "''"]],
    dashes: true,
    keys: "=",
    words: "assert else false if import in inherit let null or rec then true with",
  },
  json: { ...SLASHES, quotes: '"', keys: ":", words: "false null true" },
  css: {
    ...SLASHES,
    line: [],
    dashes: true,
    keys: ":",
    words: "auto from important inherit initial none to unset",
  },
  scss: {
    ...SLASHES,
    dashes: true,
    keys: ":",
    words:
      "auto each else extend from function if important include inherit initial mixin none return to unset use",
  },
  sql: {
    ...NONE,
    line: ["--"],
    blocks: [["/*", "*/"]],
    quotes: `'"`,
    caseless: true,
    words:
      "add all alter and as asc begin between bigint blob boolean by cascade case check column commit constraint create cross date default delete desc distinct drop else end exists false foreign from full group having if in index inner insert int integer into is join key left like limit not null numeric offset on or order outer primary real references returning right rollback select set table text then timestamp transaction trigger true union unique update using values varchar view when where with without",
  },
  lua: {
    ...NONE,
    line: ["--"],
    blocks: [["--[[", "]]"]],
    quotes: `"'`,
    longs: [["[[", "]]"]],
    words:
      "and break do else elseif end false for function goto if in local nil not or repeat return self then true until while",
  },
  haskell: {
    ...NONE,
    line: ["--"],
    blocks: [["{-", "-}"]],
    quotes: '"',
    ticks: true,
    words:
      "as case class data deriving do else family forall hiding if import in infix infixl infixr instance let module newtype of qualified then type where",
  },
  ml: {
    ...NONE,
    line: ["//"],
    blocks: [["(*", "*)"]],
    quotes: '"',
    ticks: true,
    words:
      "and as assert begin class do done downto else end exception external false for fun function functor if in include inherit lazy let match member method module mutable namespace new nonrec object of open or private rec sig struct then to true try type val virtual when while with yield",
  },
  erlang: {
    ...NONE,
    line: ["%"],
    quotes: '"',
    words: "after begin case catch end fun if of receive try when",
  },
  lisp: {
    ...NONE,
    line: [";"],
    quotes: '"',
    dashes: true,
    words:
      "cond def defmacro defmethod defn defn- defprotocol defrecord defun do false fn if let loop nil ns recur require true when",
  },
  graphql: {
    ...HASHES,
    quotes: '"',
    longs: [LONG_QUOTES[0]],
    words:
      "directive enum extend false fragment implements input interface mutation null on query scalar schema subscription true type union",
  },
  proto: {
    ...SLASHES,
    words:
      "bool bytes double enum false fixed32 fixed64 float import int32 int64 map message oneof option optional package public repeated required reserved returns rpc service stream string syntax true uint32 uint64",
  },
  powershell: {
    ...HASHES,
    blocks: [["<#", "#>"]],
    caseless: true,
    words:
      "begin break catch class continue do else elseif end exit filter finally for foreach function if in param process return switch throw trap try until using while",
  },
  markup: { ...NONE, blocks: MARKUP, dashes: true, isMarkup: true, words: "" },
  component: {
    ...SLASHES,
    blocks: [...MARKUP, ["/*", "*/"]],
    quotes: '"`',
    isMarkup: true,
    words: `${COMMON} as async await export from function let of type typeof undefined`,
  },
  markdown: { ...NONE, quotes: "`", blocks: MARKUP, isProse: true, words: "" },
} as const satisfies Readonly<
  Record<string, Omit<Language, "words" | "starts"> & { readonly words: string }>
>;
