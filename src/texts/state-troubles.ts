const REPAIR = "run papayu stop, then papayu doctor --repair; it asks first and deletes nothing";

/** What to do about each trouble with `state.db`, in English. */
export const STATE_ADVICE = {
  locked: "another program holds it and nothing is wrong with it; wait, or end that program",
  full: "nothing is wrong with it; free some space on the disk",
  read_only: "nothing is wrong with it; make the disk or the file writable",
  denied: "check who owns it and its folder, and the permissions of both",
  descriptors: 'nothing is wrong with it; raise the limit on open files ("ulimit -n")',
  newer: "nothing is wrong with it; update papa-yu",
  no_log: "nothing is wrong with it; move that away: SQLite keeps a file of its own there",
  disk: "check the disk and the space on it",
  gone: REPAIR,
  empty: REPAIR,
  no_file: REPAIR,
  foreign: REPAIR,
  other_home:
    "put this home's own back; or run papayu doctor --adopt to make it this home's, or papayu doctor --repair to go back to the newest copy; both ask first and delete nothing",
  no_database: REPAIR,
  damaged: REPAIR,
} as const;

/** What the owner reads on the phone when papa-yu cannot start; by trouble of the database. */
export const FAILED_START_EN = {
  failedStart: {
    head: (machine: string) => `papa-yu cannot start on ${machine}.`,
    once: (home: string) =>
      `Its folder there is ${home}. It handles what you write meanwhile when it runs again. The same problem is reported once in six hours.`,
    troubles: {
      locked:
        "Another program holds the database (state.db). Nothing is wrong with it: wait, or end that program.",
      full: "The disk is full. Nothing is wrong with the database: free some space, then papa-yu can start.",
      read_only:
        "The database (state.db) cannot be written: the disk or the file is read-only. Make it writable.",
      denied:
        "papa-yu may not open its database (state.db). Check who owns it and its folder, and the permissions of both.",
      descriptors:
        'Too many files are open. Nothing is wrong with the database: raise the limit ("ulimit -n").',
      newer: "A newer papa-yu made the database (state.db). Update papa-yu.",
      no_log:
        "What is at state.db-wal, state.db-shm or state.db-journal is not a file. Nothing is wrong with the database: move that away.",
      disk: "The disk fails where the database (state.db) is. Check the disk and the space on it.",
      gone: "The database (state.db) is missing, though there was one. Run papayu doctor --repair on that machine: it brings back the newest copy, and asks first.",
      empty:
        "The database (state.db) is empty, though there was one. Run papayu doctor --repair on that machine: it brings back the newest copy, and asks first.",
      no_file:
        "What is in the place of the database (state.db) is not a file. Run papayu doctor --repair on that machine; it asks first and deletes nothing.",
      foreign:
        "Another program's database is in the place of state.db. Run papayu doctor --repair on that machine; it asks first and deletes nothing.",
      other_home:
        "A database of another home of papa-yu is in the place of state.db. Put your own back; or run papayu doctor --adopt on that machine to work with this one, or papayu doctor --repair to go back to the newest copy. Both ask first.",
      no_database:
        "What is in the place of state.db is not a database. Run papayu doctor --repair on that machine; it asks first and deletes nothing.",
      damaged:
        "The database (state.db) is damaged. Run papayu doctor --repair on that machine: it shows what it can save, asks first and deletes nothing.",
    },
  },
};

/** The same in Russian. */
export const FAILED_START_RU: typeof FAILED_START_EN = {
  failedStart: {
    head: (machine) => `papa-yu не может запуститься на ${machine}.`,
    once: (home) =>
      `Его папка там: ${home}. Сообщения, которые вы напишете тем временем, он обработает, когда снова заработает. Об одной и той же проблеме он сообщает раз в шесть часов.`,
    troubles: {
      locked:
        "База данных (state.db) занята другой программой. С самой базой всё в порядке: подождите или завершите ту программу.",
      full: "Диск заполнен. С базой данных всё в порядке: освободите место, и papa-yu сможет запуститься.",
      read_only:
        "В базу данных (state.db) нельзя писать: диск или файл только для чтения. Откройте его для записи.",
      denied:
        "papa-yu не может открыть свою базу данных (state.db). Проверьте, кому принадлежат она и её папка, и права на обе.",
      descriptors:
        "Открыто слишком много файлов. С базой данных всё в порядке: увеличьте лимит (ulimit -n).",
      newer: "Базу данных (state.db) создал более новый papa-yu. Обновите papa-yu.",
      no_log:
        "На месте state.db-wal, state.db-shm или state.db-journal не файл. С базой данных всё в порядке: уберите то, что там лежит.",
      disk: "Диск, на котором лежит база данных (state.db), даёт сбои. Проверьте диск и место на нём.",
      gone: "Базы данных (state.db) нет на месте, хотя она была. Выполните на той машине papayu doctor --repair: он вернёт самую новую копию и сначала спросит.",
      empty:
        "База данных (state.db) пуста, хотя она была. Выполните на той машине papayu doctor --repair: он вернёт самую новую копию и сначала спросит.",
      no_file:
        "На месте базы данных (state.db) не файл. Выполните на той машине papayu doctor --repair: он сначала спросит и ничего не удалит.",
      foreign:
        "На месте state.db база данных другой программы. Выполните на той машине papayu doctor --repair: он сначала спросит и ничего не удалит.",
      other_home:
        "На месте state.db база данных другой папки papa-yu. Верните свою; или выполните на той машине papayu doctor --adopt, чтобы работать с этой, или papayu doctor --repair, чтобы вернуться к самой новой копии. Обе команды сначала спросят.",
      no_database:
        "На месте state.db не база данных. Выполните на той машине papayu doctor --repair: он сначала спросит и ничего не удалит.",
      damaged:
        "База данных (state.db) повреждена. Выполните на той машине papayu doctor --repair: он покажет, что можно спасти, сначала спросит и ничего не удалит.",
    },
  },
};

/** The same in Chinese. */
export const FAILED_START_ZH: typeof FAILED_START_EN = {
  failedStart: {
    head: (machine) => `papa-yu 无法在 ${machine} 上启动。`,
    once: (home) =>
      `它在那里的文件夹是 ${home}。您在此期间写的内容，它恢复运行后会处理。同一问题每六小时只通知一次。`,
    troubles: {
      locked: "另一个程序占用着数据库（state.db）。数据库本身没有问题：请等待，或结束那个程序。",
      full: "磁盘已满。数据库本身没有问题：腾出空间后 papa-yu 即可启动。",
      read_only: "数据库（state.db）无法写入：磁盘或文件是只读的。请使其可写。",
      denied: "papa-yu 无权打开自己的数据库（state.db）。请检查它和所在文件夹的所有者与权限。",
      descriptors: "打开的文件太多。数据库本身没有问题：请提高限制（ulimit -n）。",
      newer: "数据库（state.db）由更新版本的 papa-yu 创建。请更新 papa-yu。",
      no_log:
        "state.db-wal、state.db-shm 或 state.db-journal 的位置上不是文件。数据库本身没有问题：请把那里的东西移开。",
      disk: "存放数据库（state.db）的磁盘出错。请检查磁盘及其剩余空间。",
      gone: "数据库（state.db）不见了，而以前这里有过。请在那台机器上运行 papayu doctor --repair：它会恢复最新的副本，并先询问。",
      empty:
        "数据库（state.db）是空的，而以前这里有过。请在那台机器上运行 papayu doctor --repair：它会恢复最新的副本，并先询问。",
      no_file:
        "数据库（state.db）的位置上不是文件。请在那台机器上运行 papayu doctor --repair：它会先询问，不删除任何东西。",
      foreign:
        "state.db 的位置上是另一个程序的数据库。请在那台机器上运行 papayu doctor --repair：它会先询问，不删除任何东西。",
      other_home:
        "state.db 的位置上是另一个 papa-yu 文件夹的数据库。请放回您自己的；或在那台机器上运行 papayu doctor --adopt 来使用它，或运行 papayu doctor --repair 恢复最新的副本。两者都会先询问。",
      no_database:
        "state.db 的位置上不是数据库。请在那台机器上运行 papayu doctor --repair：它会先询问，不删除任何东西。",
      damaged:
        "数据库（state.db）已损坏。请在那台机器上运行 papayu doctor --repair：它会显示能挽救什么，先询问，不删除任何东西。",
    },
  },
};
