/** Saves bytes as a file with this name. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
