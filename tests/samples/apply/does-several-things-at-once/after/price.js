export const price = (item) => item.price * item.count;
