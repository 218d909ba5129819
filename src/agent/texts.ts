import type { Language } from "../core/language.ts";

/** What the agent says for itself in the course of its work; what models say is theirs. */
export interface Texts {
  readonly queued: string;
  readonly cancelling: string;
  readonly nothingRuns: string;
  readonly cameLater: string;
  readonly planDropped: string;
  readonly changeRejected: string;
  readonly callRejected: string;
  readonly foundSoFar: string;
  readonly noAnswer: string;
  readonly cancelled: string;
  readonly tookTooLong: string;
  readonly doneBefore: (tools: string) => string;
  readonly waits: (tool: string, seconds: number) => string;
  readonly withdrawn: (tool: string, reason: string) => string;
  readonly misused: (tool: string, faults: string) => string;
  readonly everyCallFailed: (last: string) => string;
  readonly limitReached: (rounds: number) => string;
}

/** In the language of the interface. */
export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    queued: "Queued behind the running work.",
    cancelling: "Cancelling.",
    nothingRuns: "Nothing runs.",
    cameLater:
      "This yes was sent before the question above was asked, so it is no answer to it. Look at it, then say yes once more or use its button.",
    planDropped: "Plan dropped.",
    changeRejected: "Rejected. Nothing was changed.",
    callRejected: "Rejected. Nothing was run.",
    foundSoFar: "Found so far:",
    noAnswer: "The model answered with nothing; ask again, or in other words",
    cancelled: "Cancelled",
    tookTooLong: "The turn took longer than agent.turn_timeout_s allows",
    doneBefore: (tools) => `; done before: ${tools}`,
    waits: (tool, seconds) => `${tool} was asked to wait ${seconds} s`,
    withdrawn: (tool, reason) => `(${tool} could not be completed: ${reason})`,
    misused: (tool, faults) =>
      `The model called ${tool} twice without what it needs: ${faults}; say it in your message, or ask again`,
    everyCallFailed: (last) =>
      `Every tool call failed, so the work was stopped; the last one: ${last}`,
    limitReached: (rounds) =>
      `The limit of ${rounds} tool rounds for one message is reached (agent.max_tool_iterations); send another to go on`,
  },
  ru: {
    queued: "В очереди за текущей работой.",
    cancelling: "Отменяю.",
    nothingRuns: "Сейчас ничего не выполняется.",
    cameLater:
      "Это «да» отправлено раньше, чем был задан вопрос выше, и ответом на него не считается. Посмотрите на вопрос и скажите «да» ещё раз или нажмите кнопку.",
    planDropped: "План отброшен.",
    changeRejected: "Отклонено. Ничего не изменено.",
    callRejected: "Отклонено. Ничего не запущено.",
    foundSoFar: "Найдено на данный момент:",
    noAnswer: "Модель ничего не ответила; спросите ещё раз или другими словами",
    cancelled: "Отменено",
    tookTooLong: "Работа заняла больше времени, чем позволяет agent.turn_timeout_s",
    doneBefore: (tools) => `; до этого сделано: ${tools}`,
    waits: (tool, seconds) => `${tool}: сервис просит подождать ${seconds} с`,
    withdrawn: (tool, reason) => `(${tool}: выполнить не удалось: ${reason})`,
    misused: (tool, faults) =>
      `Модель дважды вызвала ${tool} без нужных данных: ${faults}; укажите их в сообщении или спросите ещё раз`,
    everyCallFailed: (last) =>
      `Ни один вызов инструментов не удался, работа остановлена; последний: ${last}`,
    limitReached: (rounds) =>
      `Достигнут предел вызовов инструментов на одно сообщение: ${rounds} (agent.max_tool_iterations); напишите ещё раз, чтобы продолжить`,
  },
  zh: {
    queued: "已排在当前工作之后。",
    cancelling: "正在取消。",
    nothingRuns: "当前没有正在进行的工作。",
    cameLater:
      "这条“是”发送于上面的问题提出之前，因此不算回答。请先看问题，再回复一次“是”或点按钮。",
    planDropped: "计划已丢弃。",
    changeRejected: "已拒绝，没有更改任何内容。",
    callRejected: "已拒绝，没有运行任何内容。",
    foundSoFar: "目前找到：",
    noAnswer: "模型没有给出任何回答；请重新提问，或换一种说法",
    cancelled: "已取消",
    tookTooLong: "本轮用时超过了 agent.turn_timeout_s 的限制",
    doneBefore: (tools) => `；在此之前已完成：${tools}`,
    waits: (tool, seconds) => `${tool}：服务要求等待 ${seconds} 秒`,
    withdrawn: (tool, reason) => `（${tool} 未能完成：${reason}）`,
    misused: (tool, faults) =>
      `模型两次调用 ${tool} 都缺少必要信息：${faults}；请在消息中说明，或重新提问`,
    everyCallFailed: (last) => `所有工具调用都失败了，工作已停止；最后一次：${last}`,
    limitReached: (rounds) =>
      `已达到每条消息 ${rounds} 轮工具调用的上限（agent.max_tool_iterations）；再发一条消息即可继续`,
  },
};
