export { createDoctor, type Doctor } from "./doctor.ts";
