import type { Widened } from "../widened.ts";

/** What is said of messages that Telegram does not take as they are, in English. */
export const UNSENT_EN = {
  notAsFile: (name: string) => `"${name}" could not be sent as a file. It follows:`,
  notWhole:
    "The rest is too long for this chat. Read it whole in a terminal or on the page of the console; what it asks cannot be approved here.",
  noButtons: "Telegram did not take the buttons of this message. Answer it in words.",
  noButtonsElse:
    "Telegram did not take the buttons of this message. A command does the same (/help lists them), or the page of the console.",
  someButtons: (count: number, all: number) =>
    `Only the first ${count} of ${all} have buttons; type the name of any other.`,
  noTopic: "This belongs to a topic that takes no messages now. Answer it there, in words.",
  noTopicElse: "This belongs to a topic that takes no messages now.",
  unsent: (reason: string) =>
    `Telegram did not take a message that belongs here: ${reason}. Ask for it again, or look at it on the machine.`,
  unsentElsewhere: (chat: string, reason: string) =>
    `Telegram takes nothing from me in the chat ${chat}: ${reason}. What I say there is lost until that is mended.`,
} as const;

/** The same in Russian. */
export const UNSENT_RU: Widened<typeof UNSENT_EN> = {
  notAsFile: (name) => `не удалось отправить «${name}» файлом. Вот он:`,
  notWhole:
    "Остальное слишком длинное для этого чата. Целиком его можно прочесть в терминале или на странице консоли; одобрить здесь то, о чём тут спрашивают, нельзя.",
  noButtons: "Telegram не принял кнопки этого сообщения. Ответьте на него словами.",
  noButtonsElse:
    "Telegram не принял кнопки этого сообщения. То же делает команда (их список — /help) или страница консоли.",
  someButtons: (count, all) =>
    `Кнопки есть только у первых ${count} из ${all}; имя любого другого можно набрать.`,
  noTopic: "Это из темы, которая сейчас не принимает сообщений. Ответьте там, словами.",
  noTopicElse: "Это из темы, которая сейчас не принимает сообщений.",
  unsent: (reason) =>
    `Telegram не принял сообщение, которое должно было быть здесь: ${reason}. Попросите ещё раз или посмотрите на компьютере.`,
  unsentElsewhere: (chat, reason) =>
    `Telegram ничего не принимает от меня в чате ${chat}: ${reason}. Пока это не исправлено, мои сообщения там пропадают.`,
};

/** The same in Chinese. */
export const UNSENT_ZH: Widened<typeof UNSENT_EN> = {
  notAsFile: (name) => `无法以文件形式发送“${name}”。内容如下：`,
  notWhole:
    "其余部分太长，无法在此聊天中显示。请在终端或控制台页面中阅读全文；其中询问的内容不能在这里批准。",
  noButtons: "Telegram 没有接受这条消息的按钮，请用文字回答。",
  noButtonsElse:
    "Telegram 没有接受这条消息的按钮。请使用相应的命令（/help 会列出），或在控制台页面中操作。",
  someButtons: (count, all) => `共 ${all} 个，只有前 ${count} 个有按钮；其余的请输入名称。`,
  noTopic: "这条消息属于一个目前不接收消息的话题，请到那里用文字回答。",
  noTopicElse: "这条消息属于一个目前不接收消息的话题。",
  unsent: (reason) =>
    `Telegram 没有接受本该发到这里的一条消息：${reason}。请再问一次，或在电脑上查看。`,
  unsentElsewhere: (chat, reason) =>
    `在聊天 ${chat} 中 Telegram 不接受我的任何消息：${reason}。修好之前，我在那里说的话都会丢失。`,
};
