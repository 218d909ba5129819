import type { Part } from "../../../workspace/part.ts";
import { oneLine } from "../one-line.ts";
import type { ProjectView } from "../project-view.ts";
import { createFile, type Finding, NOTHING } from "../rule.ts";

/** The MIT licence, for a project that names it or none; another one is not ours to choose. */
export async function licenseRule(project: ProjectView): Promise<Part<Finding>> {
  const { license, author, name } = project.profile;
  if (license !== undefined && license !== "MIT") return NOTHING;
  if (project.rootNames.some((entry) => /^(?:un)?licen[cs]e|^copying/i.test(entry))) return NOTHING;
  const holder = author ?? `The authors of ${name}`;
  const year = project.year === undefined ? "" : `${project.year} `;
  return createFile(
    project,
    "LICENSE",
    `MIT License\n\nCopyright (c) ${year}${oneLine(holder)}\n\n${MIT}`,
    (reasons) => reasons.license,
  );
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
