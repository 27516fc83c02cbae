/** Shows HTML in a box of 600 px, and returns a function that finds the left edge of a text in it, in pixels. */
export function showHtml(html: string): (part: string) => number {
  document.body.innerHTML = `<div style="width: 600px">${html}</div>`
  return edgesIn(document.body)
}

/** Returns a function that finds the left edge of a text in an element, or of the text from one of its characters on. */
export function edgesIn(element: Element): (part: string, from?: number) => number {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return (part, from = 0) => {
    const text = texts.find(({ data }) => data.includes(part))
    if (!text) throw new Error(`“${part}” is not shown`)
    const range = document.createRange()
    range.setStart(text, text.data.indexOf(part) + from)
    range.setEnd(text, text.data.indexOf(part) + part.length)
    return range.getBoundingClientRect().left
  }
}
