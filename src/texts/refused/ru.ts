import { plural } from "../plural.ts";
import type { RefusedWords } from "./en.ts";

const TRIES = { one: "попытка", few: "попытки", many: "попыток" };
const PAGES = {
  one: "страница уже следит",
  few: "страницы уже следят",
  many: "страниц уже следят",
};
const FILES = { one: "файл", few: "файла", many: "файлов" };

/** The same in Russian. */
export const REFUSED_RU: RefusedWords = {
  noSession: "сеанс не найден; этот браузер впустит команда papayu open",
  signInAgain:
    "это открывает то, что закрыто: нужен вход не старше десяти минут, войдите заново через papayu open",
  ownersOnly: "это доступно только владельцу",
  wrongLogin: "код неверен, уже использован или устарел; новый даст papayu open",
  noBot: "бота, чьи собеседники могли бы войти, нет",
  notBelieved: (code) => `данные от Telegram не прошли проверку: ${code}`,
  unknownToBot: "бот вас не знает; сначала напишите ему",
  usedBefore: "данные от Telegram уже использованы; откройте страницу заново",
  pageOff: (reason) => `страница не открывается: ${reason}`,
  tooManyPages: (count) =>
    `${plural("ru", count, PAGES)} за событиями, это предел; закройте лишние`,
  failedHere: "не вышло на самой машине; её владелец может прочесть, почему",
  defect: "ошибка в самом papa-yu; в чём она, сказано в его журнале (HTTP_DEFECT)",
  bodyTooLong: (bytes) => `отправлено слишком много: предел — ${bytes} байт`,
  bodyLate: "отправленное не дошло вовремя",
  workRuns: (id) => `запрос «${id}» ещё выполняется; что из него вышло, скажет GET /api/work/ID`,
  otherPerson: (ref) => `о «${ref}» спрошен другой человек, ответить может только он`,
  otherChange: (ref) => `«${ref}» — уже не то изменение, которое было показано`,
  otherConversation: (ref) => `о «${ref}» спрошено в другом разговоре`,
  noConversation: "такого разговора у вас нет",
  notToSpeakIn: "такого разговора, в котором вы могли бы писать, нет",
  takesNoFiles: "к команде или ответу файлы не прилагают: напишите, что нужно сделать",
  fileForgotten: "один из файлов здесь больше не известен: отправьте его ещё раз",
  filesTakenThere: "файлы принимаются только на самой машине",
  filesGivenThere: "файлы отдаются только на самой машине",
  fileGone: "такого файла там не выдавали, или он уже другой",
  filesGoing: (count) => `уже отдаётся ${plural("ru", count, FILES)}, это предел; подождите`,
  filesComing: (count) => `уже принимается ${plural("ru", count, FILES)}, это предел; подождите`,
  fileTooLarge: (megabytes) => `файл больше ${megabytes} МБ`,
  fileLate: "файл не дошёл вовремя",
  fileCutOff: "файл дошёл не целиком",
  noChatForFile: "нет чата, в который его можно было бы отправить",
  noPicture: "такой картинки нет, или она слишком велика",
  noChangeSet: "о таком наборе изменений не спрашивали, или в нём нет такого файла",
  notDrafted: (id) => `«${id}» не ждёт вашего ответа, или замечаний больше, чем можно отправить`,
  noFileToSay: (path) =>
    `не сохранено: в наборе изменений нет файла «${path}»; напишите об одном из его файлов или обо всём наборе`,
  noLineToSay: (path, line, to, count) =>
    `не сохранено: это сказано о строках с ${line} по ${to} в «${path}», а на этой стороне строк там ${count}; укажите строки от 1 до ${count}`,
  noLinesToSay: (path) =>
    `не сохранено: на этой стороне в «${path}» строк нет; напишите о файле целиком`,
  notSeen: (id) => `«${id}» не ждёт вашего ответа, или в нём нет такого файла`,
  tooMuchSaid: (count, each, all) =>
    `не больше ${count} замечаний, по ${each} знаков, всего ${all} знаков`,
  noTransaction: "такой папки или транзакции нет, или в ней нет такого файла",
  filesChanged: "файлы уже не те, что были показаны; откройте заново",
  noRoutine: "такой задачи по расписанию или её запуска нет",
  noTrace: "такой папки или трассы нет",
  tooManyTraces: "трасс слишком много, за минуту их не прочитать; выберите меньше дней",
  otherSettings: "файл уже не тот, который был прочитан; прочитайте его заново",
  wrongSettings: "в тексте ошибка",
  settingsTooLong: (characters) => `текст длиннее ${characters} знаков`,
  noKey: (name) => `ключа «${name}» нет`,
  keyNotPut: (reason) => `вставить ключ не получается: ${reason}`,
  wrongCode: (triesLeft) =>
    `с таким кодом никто не ждёт; в этот час осталось ${plural("ru", triesLeft, TRIES)}`,
  codesLocked: (until) => `слишком много неверных кодов; снова можно с ${until}`,
  nobodyWaits: (id) => `человек с id ${id} не ждёт`,
  nobodyLetIn: (id) => `человека с id ${id} не впускали`,
  noBrowser: "браузера с таким id среди впущенных нет",
};
