import type { Socket } from "node:net";

/** Writes a piece again and again until the other side has left. */
function repeat(socket: Socket, piece: string | Uint8Array, everyMs = 2): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once("close", () => clearInterval(timer));
}

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/**
 * What a server may do instead of ending its answer. Every client of ours must leave each of
 * them at a bound of its own; the socket is closed then.
 */
export const HOSTILE: Readonly<Record<string, (socket: Socket) => void>> = {
  "says nothing": () => {},
  "says half a status line": (socket) => void socket.write("HTTP/1.1 20"),
  "switches protocols": (socket) =>
    void socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    ),
  "switches protocols without a word to which": (socket) =>
    void socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
  "continues for ever": (socket) => repeat(socket, "HTTP/1.1 100 Continue\r\n\r\n"),
  "hints for ever": (socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
  "sends headers for ever": (socket) => {
    socket.write(HEAD);
    repeat(socket, "X-A: 1\r\n", 20);
  },
  "trickles one header": (socket) => {
    socket.write(`${HEAD}X-A: `);
    repeat(socket, "a", 20);
  },
  "sends a head and no body": (socket) => void socket.write(`${HEAD}Content-Length: 9\r\n\r\n`),
  "trickles its body": (socket) => {
    socket.write(`${HEAD}Content-Length: 900000\r\n\r\n`);
    repeat(socket, " ", 20);
  },
  "sends chunks of one byte": (socket) => {
    socket.write(CHUNKED);
    repeat(socket, "1\r\n \r\n", 20);
  },
  "sends a chunk extension for ever": (socket) => {
    socket.write(`${CHUNKED}1;`);
    repeat(socket, "x", 20);
  },
  "sends trailers for ever": (socket) => {
    socket.write(`${CHUNKED}1\r\n \r\n0\r\n`);
    repeat(socket, "X-A: 1\r\n", 20);
  },
  "sends events without content": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
    repeat(socket, ": ping\n\n", 20);
  },
};
