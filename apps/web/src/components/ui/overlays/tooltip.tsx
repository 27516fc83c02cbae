import { Tooltip as RadixTooltip } from 'radix-ui'
import type { ReactNode } from 'react'

interface TooltipProps {
  /** Short; whatever matters must be readable without it. */
  text: ReactNode
  /** One control. */
  children: ReactNode
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <RadixTooltip.Provider delayDuration={400}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 flex animate-enter items-center gap-2 rounded-control bg-ink px-2 py-1 text-caption font-medium text-bg shadow-float"
          >
            {text}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  )
}
