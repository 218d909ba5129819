/** What is said of plans, in English. */
export const PLANS_EN = {
  /** Why a plan is not made, checked or applied. */
  refusals: {
    planGone: "This plan was applied, dropped or replaced; make a new one",
    changeApproved: "This change set was approved already; nothing was done again",
    changeRejected: "This change set was rejected; make a new plan",
    changeReplaced: "This change set was dropped, or a newer one took its place",
    changeExpired: "This approval has expired; make the plan again",
    notBegun:
      "This was approved, but papa-yu ended before it wrote anything; send ok to see the change set again",
    noGoal: "Cannot plan without a goal; say what shall change",
    longGoal: (length: number, most: number) =>
      `Cannot plan for a goal of ${length} characters: at most ${most} are taken; put the text into a file of the workspace and name it`,
    manyParts: (files: number, parts: number, most: number) =>
      `Cannot plan over ${files} files: they would be ${parts} parts, at most ${most} are made; name fewer files or a folder`,
    manyHits: (name: string, most: number) =>
      `Cannot plan over all files with "${name}": they are more than ${most}; name a folder, or its parts one after the other`,
    planUnknown: (planId: string) =>
      `Cannot find the plan "${planId}"; papayu plan makes a new one`,
    planFolderGone: (root: string) =>
      `Cannot use the plan: "${root}" is no folder any more, or leads elsewhere; nothing was done. Make a new plan`,
    folderGone: (name: string, path: string, file: string) =>
      `Cannot use the workspace "${name}": there is no folder "${path}"; make the folder, or change its path or remove its entry in "${file}"`,
    planEntryGone: (name: string, root: string) =>
      `Cannot use the plan: the configuration has no workspace "${name}" in "${root}" any more; nothing was done. Make a new plan`,
    fixOutdated: (path: string) =>
      `Cannot check the corrected change set: "${path}" changed meanwhile; nothing was written. Look at the change set again`,
    partsMade: (parts: number) =>
      `Cannot apply: all ${parts} parts of the plan are made; plan again for what was changed back since`,
    neverStill:
      "Cannot apply: files of the folder changed each time while the checks ran; nothing was written. Apply it when nothing else writes there",
    readonly: {
      apply: "Cannot apply: security.autonomy is readonly; set it to supervised to allow it",
      check: "Cannot check: security.autonomy is readonly; set it to supervised to allow it",
      undo: "Cannot undo: security.autonomy is readonly; set it to supervised to allow it",
      redo: "Cannot redo: security.autonomy is readonly; set it to supervised to allow it",
    },
    researchOff: "Cannot research: set online_research.enabled = true",
    findingsGone: "These findings are gone; send the goal again",
    findingsGoneOff: "These findings are gone; /autouse off does the same",
    findingsUsed: "These findings were used already; send the goal again",
    leave: {
      unknown: (path: string) =>
        `Cannot leave out ${path}: the change set that was shown has no such file or hunk; nothing was done`,
      nothing: "Name the files or hunks that are to be left out; nothing was done",
      all: "Nothing would be left of the change set: reject it instead",
      needed: (pairs: string) =>
        `Cannot leave that out, because what stays needs it: ${pairs}. Leave both out, or neither`,
      pair: (path: string, needs: string) => `${path} needs ${needs}`,
      byCommand: (path: string) =>
        `Cannot leave out or rewrite ${path}: a command writes it for the rest of the change set, and would again`,
      noAction: (path: string) =>
        `Cannot leave out or rewrite a part of ${path}: its lines cannot be brought there byte for byte; leave the file out as a whole`,
      refused: (reason: string) => `Cannot ask about the change set as it would be: ${reason}`,
    },
    comment: {
      nothing: "Say what should be different; nothing was sent",
      unknown: (place: string) =>
        `Cannot take the comment on ${place}: the change set that was shown has no such line or file; nothing was done`,
      overlapping: (one: string, other: string) =>
        `Cannot write both of these anew, for they overlap: ${one}; ${other}. Nothing was done; take one of the two back, or write all of these lines as one`,
      secret: (place: string) =>
        `Cannot write ${place} anew: a secret stands there, which is not shown; change the file by hand`,
      same: "These lines stand there as you wrote them; nothing was done",
      noModel:
        "The built-in rules cannot follow what is said of a change; write the lines as they are to be, or configure a model. The change set stays as it was",
    },
    several: (path: string) =>
      `Several files of the change set are shown as ${path}: nobody can know which one is meant; nothing was done`,
    outdatedShown:
      "Files or settings are others by now than those that were shown; look at the change set again",
  },
  autoUse: {
    on: "Auto-use is on for this workspace.",
    off: "Auto-use is off for this workspace.",
    forbidden:
      "Auto-use is off: online_research.enabled and auto_use_as_context are not both true, or there is no model.",
  },
  /** What a person may do next. */
  terminal: {
    next: (command: string) => `next: ${command}`,
    nextResearch: (query: string) =>
      `next: the same with --research, which looks on the web for: ${query}`,
  },
};

/** The same in Russian. */
export const PLANS_RU: typeof PLANS_EN = {
  /** Why a plan is not made, checked or applied. */
  refusals: {
    planGone: "Этот план применён, отброшен или заменён; составьте новый",
    changeApproved: "Этот набор изменений уже одобрен; повторно ничего не сделано",
    changeRejected: "Этот набор изменений отклонён; составьте новый план",
    changeReplaced: "Этот набор изменений отброшен, или его место занял более новый",
    changeExpired: "Срок одобрения истёк; составьте план заново",
    notBegun:
      "Это было одобрено, но papa-yu остановился, ничего не записав; напишите ok, чтобы снова увидеть набор изменений",
    noGoal: "План без цели невозможен; напишите, что изменить",
    longGoal: (length, most) =>
      `Цель слишком длинная: знаков ${length}, принимается не больше ${most}; сохраните текст в файле рабочей папки и назовите этот файл`,
    manyParts: (files, parts, most) =>
      `Слишком много файлов для одного плана: ${files}; частей вышло бы ${parts}, а делается не больше ${most}; назовите меньше файлов или папку`,
    manyHits: (name, most) =>
      `Файлов, в которых есть «${name}», больше ${most}: на все один план не составить; назовите папку или её части по очереди`,
    planUnknown: (planId) => `Плана «${planId}» нет; новый создаст papayu plan`,
    planFolderGone: (root) =>
      `План применить нельзя: «${root}» больше не папка или ведёт в другое место; ничего не сделано. Составьте новый план`,
    folderGone: (name, path, file) =>
      `Рабочей папки «${name}» нет на месте: нет папки «${path}»; создайте её, либо измените её path или уберите её запись в «${file}»`,
    planEntryGone: (name, root) =>
      `План применить нельзя: в настройках больше нет рабочей папки «${name}» в «${root}»; ничего не сделано. Составьте новый план`,
    fixOutdated: (path) =>
      `Исправленный набор изменений не проверить: «${path}» за это время изменился; ничего не записано. Откройте набор изменений ещё раз`,
    partsMade: (parts) =>
      `Применять нечего: все части плана (${parts}) уже сделаны; для того, что потом вернули назад, составьте новый план`,
    neverStill:
      "Применить нельзя: файлы папки каждый раз меняются, пока идут проверки; ничего не записано. Повторите, когда там больше никто не работает",
    readonly: {
      apply: "Применить нельзя: security.autonomy = readonly; разрешает supervised",
      check: "Проверить нельзя: security.autonomy = readonly; разрешает supervised",
      undo: "Отменить нельзя: security.autonomy = readonly; разрешает supervised",
      redo: "Повторить нельзя: security.autonomy = readonly; разрешает supervised",
    },
    researchOff: "Поиск в сети выключен: включает online_research.enabled = true",
    findingsGone: "Этих находок больше нет; отправьте цель ещё раз",
    findingsGoneOff: "Этих находок больше нет; то же делает /autouse off",
    findingsUsed: "Эти находки уже использованы; отправьте цель ещё раз",
    leave: {
      unknown: (path) =>
        `Исключить ${path} нельзя: в показанных изменениях нет такого файла или фрагмента; ничего не сделано`,
      nothing: "Назовите файлы или фрагменты, которые нужно исключить; ничего не сделано",
      all: "От изменений ничего не осталось бы: лучше отклоните их",
      needed: (pairs) =>
        `Исключить это нельзя: оно нужно тому, что остаётся: ${pairs}. Исключите и то и другое или ничего`,
      pair: (path, needs) => `${path} требует ${needs}`,
      byCommand: (path) =>
        `Исключить или переписать ${path} нельзя: этот файл пишет команда для остальных изменений и записала бы его снова`,
      noAction: (path) =>
        `Исключить или переписать часть ${path} нельзя: точно восстановить его строки не получится; исключите файл целиком`,
      refused: (reason) => `Спросить о таких изменениях нельзя: ${reason}`,
    },
    comment: {
      nothing: "Напишите, что должно быть иначе; ничего не отправлено",
      unknown: (place) =>
        `Замечание к ${place} не принято: в показанных изменениях нет такой строки или файла; ничего не сделано`,
      overlapping: (one, other) =>
        `Переписать оба места нельзя, они пересекаются: ${one}; ${other}. Ничего не сделано; уберите одно из них или напишите все эти строки одним текстом`,
      secret: (place) =>
        `Переписать ${place} нельзя: там стоит секрет, который не показан; измените файл вручную`,
      same: "Эти строки уже такие, как вы написали; ничего не сделано",
      noModel:
        "Встроенные правила не могут учесть замечания; напишите строки такими, какими они должны быть, или настройте модель. Изменения остались прежними",
    },
    several: (path) =>
      `Несколько файлов показаны как ${path}: нельзя понять, какой имеется в виду; ничего не сделано`,
    outdatedShown: "Файлы или настройки уже не те, что были показаны; посмотрите изменения ещё раз",
  },
  autoUse: {
    on: "Auto-use включён для этой папки.",
    off: "Auto-use отключён для этой папки.",
    forbidden:
      "Auto-use отключён: online_research.enabled и auto_use_as_context не включены оба, или модели нет.",
  },
  /** What a person may do next. */
  terminal: {
    next: (command) => `дальше: ${command}`,
    nextResearch: (query) => `дальше: то же с --research, тогда в сети ищется: ${query}`,
  },
};

/** The same in Chinese. */
export const PLANS_ZH: typeof PLANS_EN = {
  /** Why a plan is not made, checked or applied. */
  refusals: {
    planGone: "该计划已应用、放弃或被替换；请重新规划",
    changeApproved: "该变更集已批准过；没有重复执行",
    changeRejected: "该变更集已被拒绝；请重新规划",
    changeReplaced: "该变更集已放弃，或已被较新的取代",
    changeExpired: "批准已过期；请重新规划",
    notBegun: "已批准，但 papa-yu 在写入任何内容之前就停止了；发送 ok 可再次查看变更集",
    noGoal: "没有目标就无法制定计划；请说明要改什么",
    longGoal: (length, most) =>
      `目标太长：共 ${length} 个字符，最多接受 ${most} 个；请把文字存到工作区的文件里，再说出文件名`,
    manyParts: (files, parts, most) =>
      `一个计划容不下 ${files} 个文件：要分成 ${parts} 部分，最多只做 ${most} 部分；请少指定一些文件，或指定一个文件夹`,
    manyHits: (name, most) =>
      `含有“${name}”的文件超过 ${most} 个，无法一次全部计划；请指定一个文件夹，或逐个部分进行`,
    planUnknown: (planId) => `找不到计划“${planId}”；papayu plan 可以制定新计划`,
    planFolderGone: (root) =>
      `无法使用该计划：“${root}”已不是文件夹，或指向别处；什么都没有做。请制定新计划`,
    folderGone: (name, path, file) =>
      `无法使用工作区“${name}”：没有文件夹“${path}”；请创建该文件夹，或在“${file}”中更改其 path 或删除该条目`,
    planEntryGone: (name, root) =>
      `无法使用该计划：配置中“${root}”已没有名为“${name}”的工作区；什么都没有做。请制定新计划`,
    fixOutdated: (path) =>
      `无法检查修正后的变更集：“${path}”在此期间有更改；什么都没有写入。请重新查看变更集`,
    partsMade: (parts) =>
      `没有可应用的内容：计划的 ${parts} 个部分都已完成；之后又改回去的内容请重新计划`,
    neverStill:
      "无法应用：检查运行期间文件夹里的文件总在变动；什么都没有写入。请等那里没有别的工作时再试",
    readonly: {
      apply: "不能应用：security.autonomy 为 readonly；设为 supervised 即可允许",
      check: "不能检查：security.autonomy 为 readonly；设为 supervised 即可允许",
      undo: "不能撤销：security.autonomy 为 readonly；设为 supervised 即可允许",
      redo: "不能重做：security.autonomy 为 readonly；设为 supervised 即可允许",
    },
    researchOff: "网上查找已关闭：设置 online_research.enabled = true 即可开启",
    findingsGone: "这些查找结果已不在；请重新发送目标",
    findingsGoneOff: "这些查找结果已不在；/autouse off 效果相同",
    findingsUsed: "这些查找结果已经用过；请重新发送目标",
    leave: {
      unknown: (path) => `无法排除 ${path}：显示的更改中没有这个文件或片段；什么都没有做`,
      nothing: "请指出要排除的文件或片段；什么都没有做",
      all: "这样更改就什么都不剩了：请改为拒绝",
      needed: (pairs) => `无法排除，因为保留的内容需要它：${pairs}。请一起排除，或都保留`,
      pair: (path, needs) => `${path} 需要 ${needs}`,
      byCommand: (path) => `无法排除或改写 ${path}：它由命令为其余更改写出，之后还会再写`,
      noAction: (path) =>
        `无法只排除或改写 ${path} 的一部分：其中的行无法逐字节还原；请排除整个文件`,
      refused: (reason) => `无法就这样的更改征求同意：${reason}`,
    },
    comment: {
      nothing: "请写明要改成怎样；什么都没有发送",
      unknown: (place) => `无法接受对 ${place} 的批注：显示的更改中没有这一行或文件；什么都没有做`,
      overlapping: (one, other) =>
        `无法同时改写这两处，它们的行重叠：${one}；${other}。什么都没有做；请撤回其中一处，或把这些行写成一处`,
      secret: (place) => `无法改写 ${place}：那里有未显示的密钥；请手动修改文件`,
      same: "这些行已经和您写的一样；什么都没有做",
      noModel: "内置规则无法按意见修改；请直接把那些行写成应有的样子，或配置一个模型。更改保持原样",
    },
    several: (path) => `有多个文件显示为 ${path}：无法知道指的是哪一个；什么都没有做`,
    outdatedShown: "文件或设置已与显示时不同；请重新查看更改",
  },
  autoUse: {
    on: "此工作区已开启自动使用。",
    off: "此工作区已关闭自动使用。",
    forbidden:
      "自动使用已关闭：online_research.enabled 与 auto_use_as_context 未同时启用，或没有模型。",
  },
  /** What a person may do next. */
  terminal: {
    next: (command) => `下一步：${command}`,
    nextResearch: (query) => `下一步：加上 --research 再试，会在网上查找：${query}`,
  },
};
