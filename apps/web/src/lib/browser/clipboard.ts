/** Copies a text; answers whether it worked. Pages that came over plain http may have to do it the old way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text)
  }
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  const before = document.activeElement
  // A dialog lets no focus leave it, and only what has the focus is copied.
  const home = before?.closest('[role=dialog]') ?? document.body
  home.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
