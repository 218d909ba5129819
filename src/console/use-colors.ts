import { useEffect, useMemo } from "preact/hooks";
import { COLOR_CSS, type Colors, createColors, type Painter } from "./colors/colors.ts";

/** The colours of what a component shows, as long as it is shown. */
export function useColors(): Colors {
  const colors = useMemo(
    () =>
      createColors(startPainter, (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      }),
    [],
  );
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(COLOR_CSS);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      colors.close();
      const { adoptedStyleSheets: all } = document;
      document.adoptedStyleSheets = all.filter((each) => each !== sheet);
    };
  }, [colors]);
  return colors;
}

/** The shell says where the worker lies, whose name changes with what is in it. */
function startPainter(onAnswer: (data: unknown) => void, onFailed: () => void): Painter {
  const place = document.querySelector<HTMLMetaElement>("meta[name=painter]")?.content ?? "";
  const address = `/assets/${place}`;
  const worker = new Worker(POLICY?.createScriptURL(address) ?? address, { type: "module" });
  worker.addEventListener("message", ({ data }) => onAnswer(data));
  worker.addEventListener("error", onFailed);
  return {
    post: (request) => worker.postMessage(request, []),
    terminate: () => worker.terminate(),
  };
}

/** The one policy that the page's headers know; browsers without the like have none. */
const POLICY = toFactory()?.createPolicy("papayu", {
  createScriptURL(url) {
    if (/^\/assets\/worker-\w+\.js$/u.test(url)) return url;
    throw new TypeError("this is no worker of the page");
  },
});

function toFactory(): TrustedTypes | undefined {
  return typeof trustedTypes === "undefined" ? undefined : trustedTypes;
}

/** Of a browser that has it; lib.dom does not know it. */
declare const trustedTypes: TrustedTypes | undefined;

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptAddresses): ScriptAddresses;
}

interface ScriptAddresses {
  createScriptURL(url: string): string;
}
