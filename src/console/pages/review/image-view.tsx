import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { toSize } from "../../figures/figures.tsx";
import { messageOf } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { type ReviewFile, type Source } from "./model/model.ts";

interface OfFile {
  readonly texts: Texts;
  readonly source: Source;
  readonly file: ReviewFile;
}

/** A picture before and after, side by side; read when it is opened. */
export function ImagePair({ texts, source, file }: OfFile) {
  const { entry } = file;
  const before = { n: entry.old?.n ?? entry.n, size: entry.size_before };
  const after = { n: entry.n, size: entry.size_after };
  return (
    <div class="images">
      <Side texts={texts} source={source} side="before" title={texts.file.before} {...before} />
      <Side texts={texts} source={source} side="after" title={texts.file.after} {...after} />
    </div>
  );
}

function Side({
  texts,
  source,
  side,
  n,
  size,
  title,
}: Omit<OfFile, "file"> & {
  readonly side: "before" | "after";
  readonly n: number;
  readonly size: number | undefined;
  readonly title: string;
}) {
  const url = useSignal<string | undefined>(undefined);
  const failed = useSignal<string | undefined>(undefined);
  const pixels = useSignal("");
  useEffect(() => {
    if (size === undefined) return undefined;
    let isOver = false;
    source.image(n, side).then(
      (blob) => {
        if (!isOver) url.value = URL.createObjectURL(blob);
      },
      (error: unknown) => (failed.value = messageOf(error)),
    );
    return () => {
      isOver = true;
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
    };
  }, [source, n, side, size]);
  const facts = size === undefined ? texts.file.nothing : toSize(size, texts.language);
  return (
    <figure>
      <figcaption>
        {[title, pixels.value, facts].filter((each) => each !== "").join(" · ")}
      </figcaption>
      {url.value !== undefined && (
        <img
          src={url.value}
          alt={title}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            pixels.value = `${naturalWidth} × ${naturalHeight}`;
            // Nobody can open it as a document: it has no address any more.
            if (url.value !== undefined) URL.revokeObjectURL(url.value);
          }}
          onError={() => (failed.value = texts.file.noImage)}
        />
      )}
      {failed.value !== undefined && (
        <p class="file-message bad">{texts.file.failed(toVisibleText(failed.value))}</p>
      )}
    </figure>
  );
}
