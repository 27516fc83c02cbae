import { X } from 'lucide-react'
import { Toast as RadixToast } from 'radix-ui'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { dismissToast, getShownToast, getToastHost, subscribeToToasts } from './toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'

const OPEN_LAYER = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/**
 * Returns whether to hide the toast while an Escape is handled. Radix gives Escape to the layer that opened
 * last, which is often the toast, but the person means the dialog or menu that has the focus.
 */
function useEscapeYield(viewport: React.RefObject<HTMLElement | null>): boolean {
  const [isYielding, setIsYielding] = useState(false)
  useEffect(() => {
    const handleKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || viewport.current?.contains(document.activeElement)) return
      if (!document.querySelector(OPEN_LAYER)) return
      flushSync(() => setIsYielding(true))
      setTimeout(() => setIsYielding(false))
    }
    // A capturing listener on the window runs before the listeners of the layers.
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  }, [viewport])
  return isYielding
}

/** Renders the toasts. Use it only once, in the app's shell. */
export function Toaster() {
  const shownToast = useSyncExternalStore(subscribeToToasts, getShownToast)
  const host = useSyncExternalStore(subscribeToToasts, getToastHost)
  const viewport = useRef<HTMLOListElement>(null)
  const isYielding = useEscapeYield(viewport)
  return (
    // Each toast gets a new provider. A toast that closes while it has the focus leaves its provider paused, and the
    // next toast would never close.
    <RadixToast.Provider
      key={shownToast?.id}
      swipeDirection="down"
      swipeThreshold={50}
      label={t('Notification')}
    >
      {shownToast && !isYielding ? (
        <RadixToast.Root
          key={shownToast.id}
          duration={shownToast.durationMs}
          onOpenChange={(open) => !open && dismissToast(shownToast.id)}
          className="pointer-events-auto flex min-h-11 max-w-full animate-rise items-center gap-3 rounded-control bg-ink py-1 pe-1.5 ps-3.5 font-medium text-bg shadow-float data-[swipe=move]:translate-y-(--radix-toast-swipe-move-y)"
        >
          <RadixToast.Title className="min-w-0 py-2 wrap-anywhere">{shownToast.title}</RadixToast.Title>
          {[shownToast.otherAction, shownToast.action].map((action) =>
            action ? (
              <RadixToast.Action
                key={action.label}
                altText={`${action.label}: ${shownToast.title}`}
                onClick={action.onSelect}
                className="h-9 shrink-0 rounded-control px-2 font-semibold underline underline-offset-3 focus-visible:outline-current phone:h-11"
              >
                {action.label}
              </RadixToast.Action>
            ) : null,
          )}
          <RadixToast.Close
            aria-label={t('Dismiss')}
            className="grid size-9 shrink-0 place-items-center rounded-control focus-visible:outline-current phone:size-11"
          >
            <X size={16} strokeWidth={1.75} aria-hidden />
          </RadixToast.Close>
        </RadixToast.Root>
      ) : null}
      {/* If a dialog is open, toasts are at the top, because its buttons are at the bottom. Otherwise they are above the dock, so that neither the title of the page nor an action bar is covered. */}
      {createPortal(
        <RadixToast.Viewport
          ref={viewport}
          hotkey={['F8']}
          label={t("Notifications ('{hotkey}')")}
          className="fixed bottom-6 left-1/2 z-50 w-max max-w-[min(560px,calc(100vw-32px))] -translate-x-1/2 outline-none phone:bottom-[calc(100px+env(safe-area-inset-bottom))] [body:has([role=dialog])_&]:top-3 [body:has([role=dialog])_&]:bottom-auto sm:[body:has([data-dock]>*):not(:has([role=dialog]))_&]:bottom-[calc(36px+var(--dock-height,0px))] phone:[body:has([data-dock]>*):not(:has([role=dialog]))_&]:bottom-[calc(84px+env(safe-area-inset-bottom)+var(--dock-height,0px))]"
        />,
        host ?? document.body,
      )}
    </RadixToast.Provider>
  )
}
