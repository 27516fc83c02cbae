/**
 * Copies a text to the clipboard. Returns whether it worked. Pages over plain HTTP may need the older API.
 */
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
  // The field is added inside the dialog, because a dialog traps the focus, and only focused text is copied.
  const home = before?.closest('[role=dialog]') ?? document.body
  home.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
