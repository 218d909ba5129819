import type { ValidateFunction } from "ajv";
import type { ModelResponse } from "../src/protocol/response.ts";
import type { AnswerV1 } from "../src/protocol/schema-v1.ts";
import type { AnswerV3 } from "../src/protocol/schema-v3.ts";

/** Each checks an answer against the full schema of its version; faults are in `errors`. */
export declare const validateV1: ValidateFunction<AnswerV1>;
export declare const validateV2: ValidateFunction<ModelResponse>;
export declare const validateV3: ValidateFunction<AnswerV3>;
