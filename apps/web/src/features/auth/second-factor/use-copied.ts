import { useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Copies a text, and reports for the button's label whether that worked. */
export function useCopied(text: string) {
  const [isCopied, setIsCopied] = useState(false)
  async function copy(): Promise<void> {
    const hasWorked = await copyText(text)
    setIsCopied(hasWorked)
    if (!hasWorked)
      toast({ title: t('The browser did not allow copying. Select the text and copy it by hand.') })
  }
  return { isCopied, copy: () => void copy() }
}
