import { createCapabilities } from "../../src/providers/capabilities.ts";
import { createOpenAiProvider, type OpenAiOptions } from "../../src/providers/openai.ts";
import type { Provider } from "../../src/providers/provider.ts";

/** A provider at a server of this machine, which is asked through the real client. */
export function localProvider(baseUrl: string, options: Partial<OpenAiOptions> = {}): Provider {
  return createOpenAiProvider({
    name: "local",
    baseUrl,
    model: "tiny",
    timeoutMs: 60_000,
    capabilities: createCapabilities(),
    ...options,
  });
}
