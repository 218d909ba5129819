import type { ValidateFunction } from "ajv";
import type { Config } from "../src/config/schema.ts";

/** Checks a parsed configuration and fills in the defaults, in place; faults are in `errors`. */
export declare const validate: ValidateFunction<Config>;
