/** How far a body may be read, and how. */
export interface BodyBound {
  readonly maxBytes: number;
  /** What its reader gets beyond; undefined: the end, as if no more had come. */
  readonly tooLong: () => Error | undefined;
  /** Every wait for the next piece goes through it. */
  readonly wait?: <T>(work: Promise<T>) => Promise<T>;
}

/** The same answer, of whose body no more is read than is allowed. */
export function boundBody(response: Response, bound: BodyBound): Response {
  const { maxBytes, tooLong, wait = (work) => work } = bound;
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let sizeBytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await wait(reader.read());
        if (done) return controller.close();
        sizeBytes += value.byteLength;
        if (sizeBytes <= maxBytes) return controller.enqueue(value);
        reader.cancel().catch(() => {}); // it may have broken by itself
        const error = tooLong();
        if (error) throw error;
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
