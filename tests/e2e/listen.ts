import { connectDaemon } from "../../src/cli/daemon-client.ts";

/** Listens to a daemon as a terminal does, and keeps what it tells by itself from now on. */
export async function listen(
  socket: string,
): Promise<Disposable & { readonly notices: readonly string[] }> {
  const client = await connectDaemon(socket);
  if (!client) throw new Error("the socket is closed");
  const notices: string[] = [];
  const known = Promise.withResolvers<void>();
  const read = async () => {
    for await (const line of client.lines) {
      if (line.type === "notice") notices.push(line.content);
      if (line.type === "status") known.resolve();
    }
  };
  void read();
  client.send({ type: "status" });
  await known.promise; // from now on the daemon tells us, too
  return { notices, [Symbol.dispose]: () => client[Symbol.dispose]() };
}
