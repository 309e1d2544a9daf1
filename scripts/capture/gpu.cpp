// GPUs through their drivers' libraries, opened while the program runs: it is built without any toolkit, and says so
// where there is no driver. The two drivers have the same functions under different names.
#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "model/base/text.hpp"
#include "scripts/capture/kernels.hpp"
#include "scripts/capture/unit.hpp"

namespace assay::capture {
namespace {

struct Driver {
  const char* toolkit;
  const char* library;
  const char* maker;      // whose driver brings it
  const char* extension;  // of files with kernels
  const char *initialise, *count, *device, *device_name, *version, *retain_context, *use_context, *load, *function,
      *allocate, *release, *clear, *to_device, *to_host, *launch, *wait, *error_name;
};

constexpr Driver drivers[] = {{"cuda",
                               "libcuda.so.1",
                               "NVIDIA's",
                               ".cubin",
                               "cuInit",
                               "cuDeviceGetCount",
                               "cuDeviceGet",
                               "cuDeviceGetName",
                               "cuDriverGetVersion",
                               "cuDevicePrimaryCtxRetain",
                               "cuCtxSetCurrent",
                               "cuModuleLoadData",
                               "cuModuleGetFunction",
                               "cuMemAlloc_v2",
                               "cuMemFree_v2",
                               "cuMemsetD8_v2",
                               "cuMemcpyHtoD_v2",
                               "cuMemcpyDtoH_v2",
                               "cuLaunchKernel",
                               "cuCtxSynchronize",
                               "cuGetErrorName"},
                              {"hip",
                               "libamdhip64.so",
                               "AMD's",
                               ".co",
                               "hipInit",
                               "hipGetDeviceCount",
                               "hipDeviceGet",
                               "hipDeviceGetName",
                               "hipDriverGetVersion",
                               "hipDevicePrimaryCtxRetain",
                               "hipCtxSetCurrent",
                               "hipModuleLoadData",
                               "hipModuleGetFunction",
                               "hipMalloc",
                               "hipFree",
                               "hipMemsetD8",
                               "hipMemcpyHtoD",
                               "hipMemcpyDtoH",
                               "hipModuleLaunchKernel",
                               "hipDeviceSynchronize",
                               "hipDrvGetErrorName"}};

const Driver& driver_of(const std::string& toolkit) {
  for (const Driver& d : drivers) {
    if (d.toolkit == toolkit) return d;
  }
  throw Error{"'" + toolkit + "' is no toolkit of this program; it knows cuda and hip."};
}

using Address = Accelerator::Address;  // of device memory

// A driver's library with its first device in use.
class Gpu {
 public:
  // The library stays when the Gpu goes: a driver's threads run in it until the process ends.
  explicit Gpu(const Driver& names) : names_(names), library_(dlopen(names.library, RTLD_NOW | RTLD_NODELETE), close) {
    if (!library_) {
      throw Error{"There is no " + std::string(names.library) + " on this machine: " + names.maker +
                  " driver, which brings it, is not installed."};
    }
    call<unsigned>(names.initialise, 0);
    int count = 0;
    call<int*>(names.count, &count);
    if (count == 0) throw Error{std::string(names.maker) + " driver is here, but finds no GPU."};
    call<int*, int>(names.device, &device_, 0);
    void* context = nullptr;
    call<void**, int>(names.retain_context, &context, device_);
    call<void*>(names.use_context, context);
  }

  std::string name() const {
    char text[256] = {};
    call<char*, int, int>(names_.device_name, text, sizeof text, device_);
    return text;
  }

  std::string version() const {
    int number = 0;
    call<int*>(names_.version, &number);
    return std::string(names_.toolkit) + " " + std::to_string(number);
  }

  // "9.0"; cuda only.
  std::string capability() const {
    constexpr int major = 75, minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
    int x = 0, y = 0;
    call<int*, int, int>("cuDeviceGetAttribute", &x, major, device_);
    call<int*, int, int>("cuDeviceGetAttribute", &y, minor, device_);
    return std::to_string(x) + "." + std::to_string(y);
  }

  void* load(const std::string& image) const {
    void* module = nullptr;
    call<void**, const void*>(names_.load, &module, image.data());
    return module;
  }

  void* function(void* module, const std::string& name) const {
    void* function = nullptr;
    call<void**, void*, const char*>(names_.function, &function, module, name.c_str());
    return function;
  }

  Address allocate(std::size_t bytes) const {
    Address address = 0;
    call<Address*, std::size_t>(names_.allocate, &address, bytes);
    return address;
  }
  void release(Address address) const { call<Address>(names_.release, address); }

  void clear(Address from, std::size_t bytes) const {
    call<Address, unsigned char, std::size_t>(names_.clear, from, 0, bytes);
  }
  void to_device(Address to, const void* from, std::size_t bytes) const {
    call<Address, const void*, std::size_t>(names_.to_device, to, from, bytes);
  }
  void to_host(void* to, Address from, std::size_t bytes) const {
    call<void*, Address, std::size_t>(names_.to_host, to, from, bytes);
  }

  void launch(void* function, std::size_t blocks, int threads, void** arguments) const {
    call<void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**>(
        names_.launch, function, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(threads), 1, 1, 0, nullptr,
        arguments, nullptr);
    call<>(names_.wait);
  }

 private:
  static void close(void* library) {
    if (library != nullptr) dlclose(library);
  }

  template <class... Arguments>
  void call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_.get(), name));
    if (function == nullptr) throw Error{std::string(names_.library) + " has no function " + name + "."};
    const int status = function(arguments...);
    if (status != 0) throw Error{std::string(name) + " failed: " + error_name(status) + "."};
  }

  std::string error_name(int status) const {
    const auto name = reinterpret_cast<int (*)(int, const char**)>(dlsym(library_.get(), names_.error_name));
    const char* text = nullptr;
    if (name != nullptr && name(status, &text) == 0 && text != nullptr) return text;
    return "status " + std::to_string(status);
  }

  const Driver& names_;
  std::unique_ptr<void, void (*)(void*)> library_;
  int device_ = 0;
};

// Device memory that is kept from launch to launch, and grows with what is put into it.
class Buffer {
 public:
  explicit Buffer(const Gpu& gpu) : gpu_(gpu) {}
  ~Buffer() {
    try {
      release();
    } catch (const Error&) {  // the context is lost: its memory with it
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Address holding(const layout::Words& words) {
    make_room(words.size());
    if (!words.empty()) gpu_.to_device(address_, words.data(), 4 * words.size());
    return address_;
  }
  // What a kernel leaves out shall not be a result of the launch before.
  Address zeros(std::size_t words) {
    make_room(words);
    gpu_.clear(address_, 4 * words);
    return address_;
  }

 private:
  void make_room(std::size_t words) {
    if (address_ != 0 && words <= room_) return;
    release();
    address_ = gpu_.allocate(4 * words + 4);
    room_ = words;
  }
  void release() {
    if (address_ != 0) gpu_.release(std::exchange(address_, 0));
  }

  const Gpu& gpu_;
  Address address_ = 0;
  std::size_t room_ = 0;  // words
};

std::string read_image(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error{"There are no kernels " + file + "; scripts/capture/build makes them where the toolkit is."};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// What follows `start` on the first line of a file that begins so; empty where there is none.
std::string line_of(const std::string& file, const std::string& start) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, start.size(), start) == 0) return line.substr(start.size());
  }
  return "";
}

void check_capability(const Gpu& gpu, const Target& target) {
  if (target.runs_on.empty()) return;
  const std::string here = gpu.capability();
  for (const std::string& fits : target.runs_on) {
    if (fits == here) return;
  }
  throw Error{"This machine's GPU, " + gpu.name() + ", has compute capability " + here + ", so it is no " +
              target.name + "."};
}

class GpuAccelerator : public Accelerator {
 public:
  GpuAccelerator(const Target& target, const std::string& folder, const std::string& more)
      : gpu_(driver_of(target.toolkit)) {
    check_capability(gpu_, target);
    images_.push_back(read_image(folder + "/" + target.name + driver_of(target.toolkit).extension));
    images_.push_back(read_image(more));
    for (const std::string& image : images_) modules_.push_back(gpu_.load(image));
  }

  std::string device() const override { return gpu_.name(); }
  Address allocate(std::size_t bytes) override { return gpu_.allocate(bytes); }
  void release(Address address) noexcept override {
    try {
      gpu_.release(address);
    } catch (const Error&) {  // the context is lost: its memory with it
    }
  }
  void clear(Address from, std::size_t bytes) override { gpu_.clear(from, bytes); }
  void write(Address to, const void* from, std::size_t bytes) override { gpu_.to_device(to, from, bytes); }
  void read(void* to, Address from, std::size_t bytes) override { gpu_.to_host(to, from, bytes); }
  void launch(const std::string& kernel, std::size_t blocks, int threads, void** arguments) override {
    void*& function = functions_[kernel];
    if (function == nullptr) function = gpu_.function(modules_[starts_with(kernel, "sweep_") ? 1 : 0], kernel);
    gpu_.launch(function, blocks, threads, arguments);
  }

 private:
  Gpu gpu_;
  std::vector<std::string> images_;
  std::vector<void*> modules_;  // the target's own kernels, and those of the file
  std::map<std::string, void*> functions_;
};

class GpuUnit : public Unit {
 public:
  GpuUnit(const Target& target, const std::string& folder)
      : gpu_(driver_of(target.toolkit)),
        image_(read_image(folder + "/" + target.name + driver_of(target.toolkit).extension)),
        notes_(folder + "/" + target.name) {
    check_capability(gpu_, target);
    module_ = gpu_.load(image_);
  }

  std::string device() const override { return gpu_.name(); }
  std::string driver() const override { return gpu_.version(); }
  std::string toolkit() const override { return line_of(notes_ + ".toolkit", ""); }
  std::string machine(const std::string& instruction) const override {
    return line_of(notes_ + ".machine", kernel_name(instruction) + " ");
  }

  layout::Words execute(const Tiling& tiling, const PackedOperands& operands) override {
    const layout::Fragment& result = tiling.fragments().d;
    layout::Words d(operands.tiles * layout::word_count(result));
    Address addresses[] = {a_.holding(operands.a),
                           b_.holding(operands.b),
                           c_.holding(operands.c),
                           scale_a_.holding(operands.scale_a),
                           scale_b_.holding(operands.scale_b),
                           indices_.holding(operands.indices),
                           d_.zeros(d.size())};
    void* arguments[std::size(addresses)];
    std::transform(std::begin(addresses), std::end(addresses), arguments, [](Address& address) { return &address; });
    gpu_.launch(gpu_.function(module_, kernel_name(tiling.shape().name)), operands.tiles, result.lanes, arguments);
    gpu_.to_host(d.data(), *std::rbegin(addresses), 4 * d.size());
    return d;
  }

 private:
  Gpu gpu_;
  std::string image_;
  std::string notes_;  // what scripts/capture/build wrote beside the kernels, without its extension
  void* module_ = nullptr;
  Buffer a_{gpu_}, b_{gpu_}, c_{gpu_}, scale_a_{gpu_}, scale_b_{gpu_}, indices_{gpu_}, d_{gpu_};
};

}  // namespace

std::unique_ptr<Accelerator> open_accelerator(const Target& target, const std::string& folder,
                                              const std::string& more) {
  return std::make_unique<GpuAccelerator>(target, folder, more);
}

std::unique_ptr<Unit> open_gpu(const Target& target, const std::string& folder) {
  return std::make_unique<GpuUnit>(target, folder);
}

Here open_here(const std::vector<Target>& targets, const std::string& folder) {
  std::map<std::string, std::string> reasons;  // of each toolkit, the last
  for (const Target& target : targets) {
    try {
      return {&target, open_gpu(target, folder)};
    } catch (const Error& error) {
      reasons[target.toolkit] = error.message;
    }
  }
  std::string all = "None of the targets can be captured here.";
  for (const auto& [toolkit, reason] : reasons) all += "\n  " + toolkit + ": " + reason;
  throw Error{all};
}

}  // namespace assay::capture
