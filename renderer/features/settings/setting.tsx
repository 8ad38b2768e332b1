import type { ReactNode } from 'react';

interface SettingProps {
  /** Left out for the only setting of a section, which the section's heading names. */
  title?: ReactNode;
  /** Why it is there, and what it does. */
  about: ReactNode;
  children: ReactNode;
}

/** One setting: its name and reason at the left, its control at the right. */
export function Setting({ title, about, children }: SettingProps) {
  return (
    <div className="setting">
      <div className="setting-about">
        {title !== undefined && <h3 className="m">{title}</h3>}
        <p className="sm t2">{about}</p>
      </div>
      <div className="setting-control">{children}</div>
    </div>
  );
}
