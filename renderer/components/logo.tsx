/** The program's mark. Decorative: the name is always beside it. */
export function Logo() {
  return (
    <svg width={18} height={18} viewBox="0 0 18 18" aria-hidden="true" focusable="false">
      <rect width="18" height="18" rx="4.5" fill="var(--accent-fill)" />
      <path d="M4.5 6.2h9M4.5 9h6M4.5 11.8h4" stroke="var(--on-accent)" strokeWidth="1.5" strokeLinecap="round" />
      <circle cx="12.6" cy="11.4" r="1.6" fill="var(--on-accent)" />
    </svg>
  );
}
