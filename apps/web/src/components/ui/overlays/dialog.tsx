import { X } from 'lucide-react'
import { Dialog as RadixDialog } from 'radix-ui'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { cx } from '@/lib/class-names.ts'
import { focusFirstField } from '@/lib/browser/initial-focus.ts'
import { findLastFocused } from '@/lib/browser/last-focused.ts'
import { useBackCloses } from '@/lib/browser/use-back-closes.ts'
import { useLeaveWarning } from '@/lib/forms/use-leave-warning.ts'
import { AlertBox } from '../feedback/alert-box.tsx'
import { Button } from '../actions/button.tsx'
import { IconButton } from '../actions/icon-button.tsx'
import { hostToasts } from './toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'

const WIDTHS = {
  sm: 'sm:max-w-[440px]',
  md: 'sm:max-w-[560px]',
  lg: 'sm:max-w-[920px]',
  xl: 'sm:max-w-[1180px]',
}

interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** True if the title is only read out, because the content shows a title itself. */
  isTitleHidden?: boolean
  size?: keyof typeof WIDTHS
  /** Buttons at the right end: Cancel, then the primary button. */
  footer?: ReactNode
  /** The error message, shown in the footer. The dialog stays open. */
  error?: string | null | undefined
  /** False while something must be completed first, because closing the dialog would lose it. */
  isDismissible?: boolean
  /** True if closing would lose typed text. Escape, Back, a click outside and the close button then ask first. */
  hasChanges?: boolean
  /** Makes the whole dialog a form, which Enter and the submit button in the footer submit. */
  onSubmit?: (() => void) | undefined
  /** True if the body has its own padding, so that the dialog adds none. */
  isFlush?: boolean
  children: ReactNode
}

/**
 * A dialog that traps the focus and returns it afterwards. The browser's Back closes it. On phones it is a sheet at the
 * bottom.
 */
export function Dialog(props: DialogProps) {
  const { isOpen, title, description, isTitleHidden, size = 'md', isDismissible = true } = props
  const leaving = useLeaving(props)
  useLeaveWarning(isOpen && props.hasChanges === true)
  useBackCloses(isOpen, () => {
    if (isDismissible) leaving.leave()
  })
  const hasCloseButton = isDismissible && !isTitleHidden
  const keepOpen = (event: Event) => {
    if (!isDismissible) event.preventDefault()
  }
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && isDismissible && leaving.leave()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 grid animate-enter place-items-center overflow-hidden bg-scrim sm:p-6 phone:place-items-end">
          <ReturningContent
            {...(description ? {} : { 'aria-describedby': undefined })}
            onEscapeKeyDown={keepOpen}
            onPointerDownOutside={keepOpen}
            className={cx(
              'flex max-h-[calc(100dvh-48px)] w-full animate-rise flex-col overflow-hidden rounded-dialog bg-surface shadow-dialog outline-none phone:rounded-b-none phone:rounded-t-sheet',
              WIDTHS[size],
            )}
          >
            <header
              className={cx(
                'flex items-start gap-3 pt-4 pb-3 ps-6 phone:px-4',
                // The close button is aligned with the edge of the fields.
                hasCloseButton ? 'pe-4' : 'pe-6',
                isTitleHidden && 'sr-only',
              )}
            >
              <div className="min-w-0 flex-1">
                <RadixDialog.Title className="text-dialog font-[620] wrap-anywhere">
                  {title}
                </RadixDialog.Title>
                {description ? (
                  <RadixDialog.Description className="mt-0.5 text-label text-ink-2">
                    {description}
                  </RadixDialog.Description>
                ) : null}
              </div>
              {hasCloseButton ? <CloseButton onClose={leaving.leave} /> : null}
            </header>
            <DialogForm {...props} question={leaving.question} />
          </ReturningContent>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

/**
 * Returns a function that closes the dialog. It asks first if typed text would be lost. A second attempt to close while
 * the question is open is treated as No.
 */
function useLeaving({ onClose, hasChanges = false }: DialogProps) {
  const [isAsking, setIsAsking] = useState(false)
  const lastFocused = useRef<Element | null>(null)
  const isAsked = isAsking && hasChanges
  const stay = () => {
    flushSync(() => setIsAsking(false))
    if (lastFocused.current instanceof HTMLElement) lastFocused.current.focus()
  }
  const leave = () => {
    if (!hasChanges) return onClose()
    if (isAsked) return stay()
    lastFocused.current = document.activeElement
    setIsAsking(true)
  }
  const discard = () => {
    setIsAsking(false)
    onClose()
  }
  return { leave, question: isAsked ? <DiscardQuestion onStay={stay} onDiscard={discard} /> : null }
}

function DiscardQuestion({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const id = useId()
  return (
    <div role="alertdialog" aria-labelledby={id} className="flex w-full flex-wrap items-center gap-2">
      <p id={id} className="min-w-40 flex-1 font-medium">
        {t('Discard what you typed?')}
      </p>
      <Button autoFocus onClick={onStay}>
        {t('Keep editing')}
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        {t('Discard')}
      </Button>
    </div>
  )
}

/**
 * The content of a dialog. It gives the focus to the first field, and returns the focus to the opener when the dialog
 * closes. Radix would focus the close button, and would return the focus only to its own trigger, but any button, menu
 * or key can open our dialogs.
 */
function ReturningContent(props: ComponentProps<typeof RadixDialog.Content>) {
  const [opener] = useState(findOpener)
  const [content, setContent] = useState<HTMLElement | null>(null)
  useEffect(() => (content ? hostToasts(content) : undefined), [content])
  return (
    <RadixDialog.Content
      {...props}
      ref={setContent}
      onOpenAutoFocus={(event) => {
        const { currentTarget } = event
        if (currentTarget instanceof HTMLElement && focusFirstField(currentTarget)) event.preventDefault()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        if (opener) returnFocus(opener)
        else findPage()?.focus({ preventScroll: true })
      }}
    />
  )
}

/**
 * Gives the focus to the page if the opener disappears while it has the focus. This happens when the dialog completes
 * the opener's action, such as completing a job, so that its button is no longer shown.
 */
function followRemoval(opener: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return
    observer.disconnect()
    if (document.activeElement === document.body) findPage()?.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  opener.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null) observer.disconnect()
  })
}

/**
 * Returns the focus to the opener. An opener that is still disabled gets the focus when it is enabled again.
 */
function returnFocus(opener: HTMLElement): void {
  // The opener may have closed together with another dialog, or may have disappeared because the dialog completed its action.
  // The remaining dialog, or else the page, then gets the focus.
  if (!opener.isConnected) (findOpenDialog() ?? findPage())?.focus({ preventScroll: true })
  opener.focus()
  followRemoval(opener)
  if (!opener.matches(':disabled')) return
  const observer = new MutationObserver(() => {
    if (opener.matches(':disabled')) return
    observer.disconnect()
    // While the opener was disabled, the page or the outer dialog had the focus. If the person has moved the focus
    // since then, it stays there.
    if (document.activeElement?.contains(opener)) opener.focus()
  })
  observer.observe(opener, { attributeFilter: ['disabled'] })
}

const findPage = (): HTMLElement | null => document.getElementById('content')

const findOpenDialog = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1)

/**
 * Returns the element that had the focus before. If it was an entry of a menu, which has closed since then,
 * returns the menu's button.
 */
function findOpener(): HTMLElement | null {
  const active = findLastFocused()
  const menuButtonId = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = menuButtonId ? document.getElementById(menuButtonId) : active
  // A key can open a dialog right after the page has loaded, when no element has the focus yet.
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <IconButton label={t('Close')} size="sm" onClick={onClose} className="-mt-0.5 phone:-mt-2.5 touch:-mt-2.5">
    <X size={16} strokeWidth={1.75} aria-hidden />
  </IconButton>
)

interface DialogFormProps extends DialogProps {
  /** A question that is shown instead of the footer until the person answers it. */
  question: ReactNode
}

function DialogForm({ onSubmit, footer, error, isFlush = false, question, children }: DialogFormProps) {
  const content = (
    <>
      <div className={cx('min-h-0 flex-1 overflow-auto', !isFlush && 'px-6 pt-1 pb-6 phone:px-4')}>
        {children}
      </div>
      {footer || error || question ? (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line px-6 py-3 phone:px-4 phone:pb-[max(12px,env(safe-area-inset-bottom))]">
          {question ?? (
            <>
              {error ? (
                <AlertBox title={error} className="min-w-0 flex-1 basis-60 py-[7px]! phone:basis-full" />
              ) : null}
              <div className="ms-auto flex items-center gap-2">{footer}</div>
            </>
          )}
        </footer>
      ) : null}
    </>
  )
  if (!onSubmit) return <div className="flex min-h-0 flex-1 flex-col">{content}</div>
  return (
    <form
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        // React's events follow the component tree, so a dialog rendered inside a form would submit that form
        // too.
        event.stopPropagation()
        onSubmit()
      }}
    >
      {content}
    </form>
  )
}
