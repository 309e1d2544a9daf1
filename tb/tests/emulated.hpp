// Whether tests run in qemu-user, as those that are built for another processor do: it is no silicon, and not all of a
// system.
#pragma once

namespace assay {

bool is_emulated();

}  // namespace assay
