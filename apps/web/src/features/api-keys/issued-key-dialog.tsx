import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { copyText } from '@/lib/browser/clipboard.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { KeyScopes } from './key-columns.tsx'
import { formatExpiry } from './key-details.ts'
import { KEY_TOAST_MS } from './use-key-actions.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface IssuedKeyDialogProps {
  /** The key that was just created or rotated; null if there is none. */
  issued: IssuedApiKey | null
  onClose: () => void
}

/** Shows a new API key. */
export function IssuedKeyDialog({ issued, onClose }: IssuedKeyDialogProps) {
  const nowMs = useNow()
  if (!issued) return null
  return (
    <NewKeyDialog
      key={issued.key}
      secret={issued.key}
      hint={`${issued.key_prefix}…`}
      description={`${issued.label} · ${issued.username}`}
      onClose={onClose}
    >
      <dt className="text-ink-2">{t('Scope')}</dt>
      <dd>
        <KeyScopes scope={issued.scope} />
      </dd>
      <dt className="text-ink-2">{t('Expires')}</dt>
      <dd className="font-medium">{formatExpiry(issued, nowMs)}</dd>
    </NewKeyDialog>
  )
}

const TICK_MS = 100

/** Returns the remaining time in ms. The countdown stops while the dialog is kept open. */
function useCountdown(durationMs: number, isKept: boolean): number {
  const [leftMs, setLeftMs] = useState(durationMs)
  useEffect(() => {
    if (isKept) return undefined
    let last = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const passedMs = now - last
      last = now
      setLeftMs((left) => Math.max(0, left - passedMs))
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [isKept])
  return leftMs
}

type CopyState = 'copying' | 'copied' | 'refused'

const COPY_WORDS: Readonly<Record<CopyState, string>> = {
  copying: '',
  copied: t('Copied to the clipboard.'),
  refused: t('The browser did not allow copying. Use Copy key.'),
}

interface NewKeyDialogProps {
  /** The full key. */
  secret: string
  /** The part of the key that can still be read later. */
  hint: string
  description: string
  onClose: () => void
  /** Terms and descriptions, shown below the key. */
  children: ReactNode
}

/** Shows a full key, which is never shown again. It closes after ten seconds, unless the person keeps it open. */
export function NewKeyDialog({ secret, hint, description, onClose, children }: NewKeyDialogProps) {
  const [isKept, setIsKept] = useState(false)
  const [copyState, setCopyState] = useState<CopyState>('copying')
  const keyBox = useRef<HTMLElement>(null)
  const leftMs = useCountdown(KEY_TOAST_MS, isKept)
  const isHidden = leftMs === 0

  useEffect(() => {
    void copyText(secret).then((isCopied) => setCopyState(isCopied ? 'copied' : 'refused'))
  }, [secret])

  const copyAgain = async () => {
    const isCopied = await copyText(secret)
    setCopyState(isCopied ? 'copied' : 'refused')
    if (!isCopied && keyBox.current) getSelection()?.selectAllChildren(keyBox.current)
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      isDismissible={isHidden}
      title={t('Store the new key')}
      description={<bdi>{description}</bdi>}
      footer={
        isHidden ? (
          <Button variant="primary" onClick={onClose}>
            {t('Close')}
          </Button>
        ) : (
          <>
            {isKept ? null : (
              <Button variant="ghost" onClick={() => setIsKept(true)}>
                {t('Keep it open')}
              </Button>
            )}
            <Button onClick={onClose}>{t('I have stored the key')}</Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3.5">
        <div className="flex items-center gap-3 rounded-control border-2 border-accent bg-sunken p-3 phone:flex-col phone:items-stretch">
          <code ref={keyBox} className="min-w-0 flex-1 leading-5 wrap-anywhere select-all">
            {isHidden ? hint : secret}
          </code>
          {isHidden ? null : (
            <Button
              variant="primary"
              autoFocus
              icon={<Copy size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => void copyAgain()}
            >
              {t('Copy key')}
            </Button>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {isKept || isHidden ? null : (
            <Progress label={t('Time left')} value={leftMs} max={KEY_TOAST_MS} className="min-w-32 flex-1" />
          )}
          <p role="status" className="text-caption text-ink-3">
            {isHidden ? t('The key is hidden now.') : isKept ? '' : t('Hidden after 10 s.')}{' '}
            {COPY_WORDS[copyState]}
          </p>
        </div>
        <AlertBox tone="warning" title={t('This is the only time the full key is shown.')}>
          {rich('Later only {hint} is available. If the key is lost, rotate it.', {
            hint: <code className="wrap-anywhere">{hint}</code>,
          })}
        </AlertBox>
        <dl className="grid grid-cols-[112px_1fr] gap-y-2">{children}</dl>
      </div>
    </Dialog>
  )
}
