export { createDoctor, type Doctor } from "./doctor.ts";
export { createLogFacts } from "./log.ts";
export { createPeople } from "./people.ts";
export { readSpending } from "./spending.ts";
