/** Words of servers, cut to a length that the browser can keep and a page can show. What was cut already stays as it is. */
export function shortWords(text: string, most = 500): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - roomToSaySo).toWellFormed()
  return `${kept}… (${(text.length - kept.length).toLocaleString("en")} more characters)`
}

const roomToSaySo = 40
