/** Words that speak of eating out, in the three languages; Chinese needs no boundaries. */
const DINING =
  /\b(?:restaurants?|din(?:e|ing|ner)s?|eat(?:ing|ery|eries)?|lunch|breakfast|brunch|supper|caf[eé]s?|coffee|bistros?|pizzerias?|food|meals?|hungry|steakhouse|sushi|ramen|tapas)(?!\p{L})|(?<!\p{L})(?:ресторан|кафе(?!\p{L})|кофейн|кофе(?!\p{L})|поесть|покушать|перекус|пообеда|поужина|позавтрака|обед(?!н)|ужин|завтрак|еда(?!\p{L})|еду(?!\p{L})|еды(?!\p{L})|столов(?:ая|ую|ой)|голод(?:ен|ны|на)|пиццери|бистро|суши(?!\p{L}))|餐|吃|饭|飯|咖啡|美食|小吃|火锅|火鍋/iu;

/** Whether a text is about eating. */
export function isAboutDining(text: string): boolean {
  return DINING.test(text.normalize("NFC"));
}
