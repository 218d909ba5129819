import type { ConsoleFiles } from "../../channels/http/http-channel.ts";

/** What is shown where no page comes with this program. */
export const NO_PAGE: ConsoleFiles = {
  shell:
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>papa-yu</title><p>papa-yu runs. No page comes with this build; what it would show is at /api/inbox.</p></html>\n',
  file: () => undefined,
};
