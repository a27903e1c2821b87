#pragma once

#include <memory>

#include "base/capacities.h"
#include "palena/client.h"

namespace palena::client {

// What tests of a client need beyond its public options.
struct Access {
  static StatusOr<std::unique_ptr<Client>> Connect(const ClientOptions& options,
                                                   const base::Capacities& capacities);
};

}  // namespace palena::client
