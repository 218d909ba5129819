/** A phrase by which a text tries to give orders to the model that reads it. */
export interface InjectionPattern {
  /** For the notice and the log. */
  readonly kind: string;
  readonly language: "en" | "ru" | "zh";
  /** Over folded text; no part repeats without a bound, so that matching stays linear. */
  readonly pattern: RegExp;
}

/** Markers of chat templates, which no ordinary text has; looked for in the text as it is. */
export const MARKUP =
  /<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)[ _-](?:prompt|message|instructions?|reminder)>/iu;

const IGNORE = "(?:ignore|disregard|forget|overlook|bypass|override|do not follow|stop following)";
const FILLERS = "(?:(?:all|any|every|of|the|these|those|this|my|each|and) ?){0,5}";
const FORMER =
  "(?:previous|prior|preceding|earlier|above|foregoing|former|your|initial|original|system) ?";
const ORDERS =
  "(?:instructions?|prompts?|directives?|guidelines?|directions|programming|orders|commands)";
/** Manuals tell people what they may skip; nobody allows a model to. */
const NOT_FOR_PEOPLE = "(?<!\\b(?:you|they|we) (?:can|may|could|should) (?:safely |just |now )?)";
const NOT_UNDER_CONDITION = "\\b(?! (?:if|when|unless|in case)\\b)";
const AN_AI =
  "(?:(?:ai|artificial intelligence|llm|large language model|language model|chatbot)(?: (?:assistants?|agents?|models?|systems?|bots?))?s?)";

/** In the order in which they are tried. */
export const INJECTION_PATTERNS: readonly InjectionPattern[] = [
  en(
    "sets earlier instructions aside",
    `${NOT_FOR_PEOPLE}\\b${IGNORE} ?${FILLERS}${FORMER}(?:${FORMER}|${FILLERS})(?:system )?${ORDERS}${NOT_UNDER_CONDITION}`,
  ),
  en(
    "sets earlier instructions aside",
    "\\b(?:forget|disregard|ignore) ?(?:all |everything )?(?:that )?(?:you (?:were|have been|ve been) told|i (?:said|told you)|you know|(?:written|said) (?:above|before))",
  ),
  en(
    "gives the model another role",
    "\\byou are (?:now|no longer) ?(?:an? |the )?(?:dan\\b|jailbroken|unrestricted|unfiltered|uncensored|bound by|restricted by|an ai|claude|chatgpt)",
  ),
  en(
    "gives new instructions",
    "\\byour (?:new|real|actual|true|only|updated) (?:instructions?|task|goal|purpose|objective|mission) (?:is|are)\\b",
  ),
  en(
    "asks for the hidden prompt",
    "\\b(?:reveal|repeat|print|output|show|leak|disclose|display|tell me|send) (?:me |us |all |of ){0,3}your (?:full |entire |complete |whole )?(?:(?:system|hidden|secret|developer) (?:prompt|instructions?|message)|(?:initial|original) (?:prompt|instructions?))",
  ),
  en(
    "asks to send data away",
    "\\b(?:send|post|upload|forward|exfiltrate|transmit|leak|append|email) (?:the |this |all |any |user |users |s |your |their |of |entire |whole |full |our |saved |stored ){0,6}(?:conversation|chat history|system prompt|chat log|memories)\\b.{0,40}?\\b(?:to|at|into)\\b",
  ),
  en(
    "speaks to the model",
    `\\bif you are (?:an? )?${AN_AI}\\b(?! (?:company|researcher|developer|engineer|student|user|startup|team|vendor|lab|expert))`,
  ),
  en(
    "speaks to the model",
    `\\b(?:attention|note to|message (?:to|for)|dear|hey|hello) (?:all |any |the |every )?${AN_AI}\\b(?! (?:compan|research|develop|engineer|student|user|startup|team|vendor))`,
  ),
  en(
    "asks for approval in advance",
    "\\b(?:remember|save|store|memori[sz]e|note) ?(?:this |that |it |to |in |your |memory |the |user |wants |you |should |must |for |later |rule |preference ){0,9}always (?:approve|allow|accept|trust|say yes|confirm)\\b(?! (?:at|for|enough|some))",
  ),
  en(
    "asks for approval in advance",
    "\\bfrom now on (?:you )?(?:must |should |will |always )?(?:approve|obey|ignore|answer only|respond only|reply only|act as|pretend)",
  ),
  en(
    "asks to hide it from the user",
    "\\b(?:do not|don t|never) (?:tell|inform|mention|reveal|show|alert|notify) (?:this |it |any of this |about this )?(?:to )?(?:the |your )?(?:user|human|owner) (?:about |of )?(?:these|this) (?:instructions?|message|text|note|page|request|prompt)",
  ),
  ru(
    "sets earlier instructions aside",
    "(?<!\\p{L})(?:игнориру(?:й|йте)|проигнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|отмени(?:те)?|не (?:следуй|следуйте|выполняй|выполняйте|обращай внимания|обращайте внимания)) ?(?:(?:на|о|об|про|все|всё|всех|обо|эти|любые|свои|своих|твои|ваши|мои|те) ?){0,4}(?:предыдущ|прежн|прошл|вышеуказанн|вышеизложенн|системн|изначальн|первоначальн|данные тебе|ранее (?:данн|полученн)|свои|своих|твои)\\p{L}{0,5} ?(?:\\p{L}{1,14} ){0,2}?(?:инструкц|указани|промпт|подсказк|распоряжени|директив)",
  ),
  ru(
    "asks for the hidden prompt",
    "(?<!\\p{L})(?:покажи|раскрой|выведи|повтори|напечатай|сообщи|пришли)(?:те)? (?:мне |нам |свой |свои |твой |твои |весь |все |полный ){0,4}системн\\p{L}{1,4} (?:промпт|инструкци|подсказк)",
  ),
  ru(
    "gives the model another role",
    "(?<!\\p{L})(?:теперь ты|ты теперь|ты больше не) (?:dan|свободен от|не ограничен|не связан|без ограничений|ассистент|языковая модель|искусственный интеллект)",
  ),
  ru(
    "speaks to the model",
    "(?<!\\p{L})если (?:ты|вы) (?:ии|искусственный интеллект|языковая модель|нейросеть|чат бот|чатбот|ai|llm)(?!\\p{L})",
  ),
  ru(
    "asks for approval in advance",
    "(?<!\\p{L})(?:запомни|сохрани|заметь)(?:те)? (?:это |себе |в память |что |надо |нужно |пользователь |хочет |ты |должен ){0,7}(?:всегда|впредь) (?:одобря|разреша|соглаша|подтвержда|выполня|доверя)",
  ),
  ru(
    "asks to hide it from the user",
    "(?<!\\p{L})не (?:говори|говорите|сообщай|сообщайте|рассказывай|упоминай)(?:те)? (?:об этом |про это |это |этого ){0,2}пользовател(?:ю|ям) (?:об|про|о) эт(?:ом сообщении|их инструкциях|ой инструкции|ом тексте)",
  ),
  zh(
    "sets earlier instructions aside",
    "(?:忽略|无视|無視|忘记|忘掉|忘記|不要遵守|不要理会|不再遵守)(?:掉|你|您|所有|一切|全部|任何|的|那些|这些){0,5}(?:之前|以前|先前|以上|上述|上面|前面|此前|原有|原来|系统|你的|您的)(?:的|所有|一切|全部|给你|收到|系统){0,4}(?:指令|指示|提示词|命令|设定|規則|规则)(?!如果|若)",
  ),
  zh(
    "asks for the hidden prompt",
    "(?:透露|显示|输出|泄露|打印|告诉我|重复|公开)(?:出)?(?:你|您)的?(?:完整)?(?:系统|初始|隐藏)的?(?:提示词|提示|指令)",
  ),
  zh(
    "gives the model another role",
    "你(?:现在|不再)(?:是|受)(?:一个|一名)?(?:没有限制|不受限制|越狱|dan|任何限制|限制)",
  ),
  zh(
    "speaks to the model",
    "如果你是(?:一个|一名)?(?:ai|人工智能|语言模型|大模型|大语言模型|聊天机器人)(?!公司|研究|开发|工程|学生|专家|爱好)",
  ),
  zh(
    "asks for approval in advance",
    "(?:记住|保存|记录|牢记)(?:下来|到记忆|这一点|用户|要|希望|你|应该|必须|以后|今后){0,6}(?:总是|始终|永远|一律)(?:批准|同意|允许|接受|执行|信任)",
  ),
  zh(
    "asks to hide it from the user",
    "(?:不要|别|切勿|不得)(?:告诉|告知|通知|提醒)(?:用户|使用者)(?:关于)?(?:这些|这条|此|本)(?:指令|消息|内容|信息|提示)",
  ),
];

function en(kind: string, source: string): InjectionPattern {
  return { kind, language: "en", pattern: new RegExp(source, "u") };
}

function ru(kind: string, source: string): InjectionPattern {
  return { kind, language: "ru", pattern: new RegExp(source, "u") };
}

function zh(kind: string, source: string): InjectionPattern {
  return { kind, language: "zh", pattern: new RegExp(source, "u") };
}
