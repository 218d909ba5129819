/** Files that are fetched and kept, by their names. */
const FILE =
  /\.(?:zip|gz|tgz|bz2|xz|zst|7z|rar|deb|rpm|apk|dmg|pkg|msi|exe|iso|img|jar|whl|crate|pdf|epub|docx?|xlsx?|pptx?|od[tsp]|csv|ics|vcf|asc|sig|sha\d{1,3}|md5)(?:[?#]|$)/iu;

/** Whether an address is a fact by itself: a mailbox, a number to call, a file to get. */
export function isContactAddress(address: string): boolean {
  return /^(?:mailto|tel|sms|geo):/iu.test(address) || FILE.test(address);
}
