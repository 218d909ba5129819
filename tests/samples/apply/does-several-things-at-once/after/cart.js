import { price } from "./price.js";

export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += price(item);
  }
  return sum;
}
