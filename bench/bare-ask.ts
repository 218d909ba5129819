/** The floor for `ask "hi"`: nothing but the client and one request. */
import { OpenAI } from "openai";

const client = new OpenAI({ baseURL: process.argv[2] ?? "", apiKey: "none", maxRetries: 0 });
await client.chat.completions.create({
  model: "m",
  messages: [{ role: "user", content: "hi" }],
});
