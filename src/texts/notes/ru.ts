import { plural } from "../plural.ts";
import type { NoteWords, SpecialFlag } from "./notes.ts";

const WHO = { patch: "патче", edit: "правке" } as const;
const OF = { hunk: "фрагмент", edit: "правка" } as const;
const LINES = { one: "строку", few: "строки", many: "строк" } as const;

const bits = (flags: readonly SpecialFlag[]) =>
  `${flags.length > 1 ? "биты" : "бит"} ${flags.join(", ")}`;
const putsBack = (flags: readonly SpecialFlag[]) =>
  `papa-yu таких битов не ставит; вернёт команда chmod ${flags.join(",")}`;
const keep = (names: number) =>
  names === 2
    ? "под другим именем файла (жёсткая ссылка) остаётся старое содержимое"
    : "под другими именами файла остаётся старое содержимое";

/** The same in Russian. */
export const NOTES_RU: NoteWords = {
  plain: {
    there: "уже есть, делать нечего",
    twice: "записано дважды, применено один раз",
    blanks: "отличаются пробелы в концах строк или отступы",
    signs: "отличаются пробелы, кавычки или формы символов",
    "blank lines": "отличаются пустые строки",
    context: "отличаются несколько строк контекста",
    layout: "отличаются пробелы или кавычки",
    edges: "отличаются пустые строки по краям",
    tabs: "табуляция вместо пробелов или наоборот",
    markers: "у контекста нет меток",
    numbers: "строки пронумерованы",
    elided: "часть строк пропущена",
    escaped: "концы строк экранированы дважды",
    colours: "были цветовые коды терминала",
    prefixed: "перед каждой строкой что-то стояло",
    encoded: "знаки были закодированы",
    "non-breaking": "пробелы неразрывные",
    typographic: "кавычки типографские",
    "anchor layout": "якорь отличается пробелами или отступами",
    "anchor cut": "якорь обрывается внутри слова",
    "anchor part": "якорь — лишь часть того, что заменяется",
  },
  placing: {
    moved: ({ lines }) =>
      `найдено на ${plural("ru", Math.abs(lines), LINES)} ${lines > 0 ? "ниже" : "выше"}`,
    misquoted: ({ who, line, quoted, theirs }) =>
      `строка ${line}: в ${WHO[who]} «${quoted}», в файле «${theirs}»`,
    becomes: ({ who, line, quoted, theirs }) =>
      `строка ${line}: вместо «${theirs}» будет «${quoted}», как в ${WHO[who]}`,
    "left out": ({ who, line, theirs }) => `строка ${line}: в ${WHO[who]} пропущено «${theirs}»`,
    invented: ({ who, line, quoted }) =>
      `строка ${line}: в ${WHO[who]} есть «${quoted}», в файле нет`,
    "added again": ({ theirs }) => `«${theirs}» пропущено и добавлено снова: останется один раз`,
    more: ({ lines }) => `и ещё строк: ${lines}`,
  },
  files: {
    placed: ({ path, of, number }, said) => `${path}: ${OF[of]} ${number}: ${said}`,
    replaced: ({ path, names }) => `${path}: вместо него будет новый файл; ${keep(names)}`,
    unlinked: ({ path, names }) => `${path}: удаляется только это имя; ${keep(names)}`,
    "loses bits": ({ path, flags }) => `${path}: теряет ${bits(flags)}; ${putsBack(flags)}`,
    "had bits": ({ path, flags }) =>
      `${path}: имеет ${bits(flags)}; если файл вернуть, он будет без этого`,
    "back without bits": ({ path, flags }) =>
      `${path}: возвращается, но теряет ${bits(flags)}; ${putsBack(flags)}`,
    opened: ({ path, before, after }) =>
      `${path}: права станут ${after} — они шире прежних ${before}`,
    "had list": ({ path, mode }) =>
      `${path}: есть список доступа; под новым именем или после возврата его не будет, права станут ${mode}`,
    "back without list": ({ path, mode }) =>
      `${path}: возвращается без списка доступа, с правами ${mode}`,
    "other owner": ({ path, from, to }) =>
      `${path}: владелец — ${from}, у нового файла будет ${to}: papa-yu не может отдавать файлы другим`,
    "other group": ({ path, from, mode }) =>
      `${path}: владелец и группа — ${from}, papa-yu в эту группу не входит; новый файл будет её собственным, с правами ${mode}`,
    "back as other": ({ path, from, to }) =>
      `${path}: возвращается, теперь владелец и группа — ${to}: отдать файл прежним (${from}) papa-yu не может`,
    "was gone": ({ path }) => `${path}: тем временем был удалён и теперь возвращён`,
    "folder anew": ({ path, mode }) =>
      `${path}: папки уже не было, она создана заново только для владельца, с правами ${mode}`,
    "was narrowed": ({ path, now, mode }) =>
      `${path}: тем временем получил права ${now}, теперь снова ${mode}`,
    "written late": ({ path, at }) =>
      `${path}: пока файл менялся, в него писала программа, у которой он был открыт; это сохранено в ${at}`,
    "left out of checkout": ({ path }) =>
      `${path}: частичная выборка скрывает то, что хранится в репозитории под этим именем; новый файл занял бы там его место`,
    merged: ({ path }) => `${path}: объединено с более поздними правками`,
    passing: ({ path }) => `${path}: одна часть изменяет, другая возвращает как было`,
    "shown in part": ({ path }) =>
      `${path}: показан только частично, на весь файл не хватает context.max_total_chars`,
    reached: ({ hosts }) =>
      `тому, что создаёт lock-файлы, был открыт доступ к ${hosts.join(", ")}: так разрешил человек`,
  },
  joins: { said: ", " },
};
