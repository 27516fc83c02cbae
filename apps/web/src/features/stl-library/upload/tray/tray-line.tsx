import { CircleAlert, X } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'

interface TrayLineProps {
  picture: ReactNode
  /** Name of the file. */
  name: string
  /** The name as a link, if there is something to open. */
  title?: ReactNode
  /** Status text, below the progress bar if there is one. */
  children: ReactNode
  bar?: ReactNode
  actions?: ReactNode
  isActive?: boolean
}

/**
 * The line of a file in the tray. A button often disappears when it is clicked; the line then gets the focus.
 */
export function TrayLine({ picture, name, title, bar, actions, isActive = false, children }: TrayLineProps) {
  return (
    <li
      tabIndex={-1}
      data-active={isActive || undefined}
      aria-label={name}
      className="flex items-center gap-3 py-2.5 pe-3 ps-4 -outline-offset-2 [contain-intrinsic-size:auto_61px] [content-visibility:auto]"
    >
      {picture}
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={name}>
          <bdi className="block truncate">{title ?? name}</bdi>
        </p>
        {bar}
        {children}
      </div>
      {actions ? (
        <div className="flex shrink-0 items-center gap-1" onClick={holdFocus}>
          {actions}
        </div>
      ) : null}
    </li>
  )
}

function holdFocus({ currentTarget, target }: MouseEvent<HTMLElement>): void {
  // A file picker returns the focus on its own.
  if (target instanceof HTMLInputElement) return
  // If the line was removed, the focus has already been moved.
  const { activeElement } = document
  const isHere = activeElement === document.body || currentTarget.contains(activeElement)
  if (isHere) currentTarget.closest('li')?.focus({ preventScroll: true })
}

export const LineNote = ({ children }: { children: ReactNode }) => (
  <p className="text-caption text-ink-3">{children}</p>
)

/** The reason for a failure, which is read out immediately. */
export const LineAlert = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="text-caption wrap-anywhere text-red-ink">
    {children}
  </p>
)

/** Shown instead of the picture of a file that failed. */
export const FailedPicture = () => (
  <span className="grid size-10 shrink-0 place-items-center rounded-control bg-red-soft text-red-ink">
    <CircleAlert size={16} strokeWidth={1.75} aria-hidden />
  </span>
)

/** Shown instead of the picture of a file that is still uploading. */
export const WaitingPicture = ({ icon }: { icon?: ReactNode }) => (
  <span className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-ink-3">
    {icon}
  </span>
)

interface CrossButtonProps {
  /** Names the action and its file: `Cancel arm.stl`. */
  label: string
  onClick: () => void
}

export const CrossButton = ({ label, onClick }: CrossButtonProps) => (
  <IconButton size="sm" label={label} onClick={onClick}>
    <X size={16} strokeWidth={1.75} aria-hidden />
  </IconButton>
)
