import { connectDaemon } from "../../src/cli/daemon-client.ts";

/** Listens to a daemon as a terminal does, and keeps what it tells by itself from now on. */
export async function listen(
  socket: string,
): Promise<Disposable & { readonly told: readonly string[] }> {
  const client = await connectDaemon(socket);
  if (!client) throw new Error("the socket is closed");
  const told: string[] = [];
  const known = Promise.withResolvers<void>();
  const read = async () => {
    for await (const line of client.lines) {
      if (line.type === "notice") told.push(line.content);
      if (line.type === "status") known.resolve();
    }
  };
  void read();
  client.send({ type: "status" });
  await known.promise; // from now on the daemon tells us, too
  return { told, [Symbol.dispose]: () => client[Symbol.dispose]() };
}
