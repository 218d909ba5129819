/** How many bytes may be read of a body, and what is thrown beyond. */
export interface BodyBound {
  readonly maxBytes: number;
  readonly tooLong: () => Error;
}

/** The same answer, whose reader gets an error past a number of bytes; the rest is not read. */
export function boundBody(response: Response, { maxBytes, tooLong }: BodyBound): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let sizeBytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        sizeBytes += value.byteLength;
        if (sizeBytes <= maxBytes) return controller.enqueue(value);
        await reader.cancel();
        controller.error(tooLong());
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
