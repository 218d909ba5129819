export { createDoctor, type Doctor } from "./doctor.ts";
export { createLogFacts } from "./log.ts";
